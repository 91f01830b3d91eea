package io.roceverbs.sim.catalogue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The list of mutants, {@code mutants.txt}. */
public final class Mutants {
  private static final String BEFORE = "- ";
  private static final String AFTER = "+ ";

  private Mutants() {}

  /** Reads the list. */
  public static List<Mutant> load() {
    List<Mutant> mutants = new ArrayList<>();
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(
                Mutants.class.getResourceAsStream("mutants.txt"), StandardCharsets.UTF_8))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        if (!line.isBlank() && !line.startsWith("#")) {
          mutants.add(mutant(line, reader.readLine(), reader.readLine()));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return mutants;
  }

  private static Mutant mutant(String head, String before, String after) {
    String[] words = head.split(" ", -1);
    if (words.length != 3 || !before.startsWith(BEFORE) || !after.startsWith(AFTER)) {
      throw new IllegalArgumentException("Not a mutant: " + head);
    }
    return new Mutant(
        words[0],
        words[1],
        before.substring(BEFORE.length()),
        after.substring(AFTER.length()),
        words[2]);
  }
}
