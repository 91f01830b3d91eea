package io.roceverbs.sim.catalogue;

import io.roceverbs.sim.Fabric;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/** The catalogue: the rules of the engine, and what the library is held to from outside. */
public final class Catalogue {
  private final Map<String, Entry> entries = new LinkedHashMap<>();

  private Catalogue() {}

  /** Reads {@code rules.tsv} and {@code conformance.tsv}. */
  public static Catalogue load() {
    Catalogue catalogue = new Catalogue();
    catalogue.read("rules.tsv", Entry::ofRule);
    catalogue.read("conformance.tsv", Entry::ofExpectation);
    return catalogue;
  }

  /** The entries by id, in the order of the files. */
  public Map<String, Entry> entries() {
    return entries;
  }

  private void read(String resource, Function<String, Entry> parser) {
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(
                Fabric.class.getResourceAsStream(resource), StandardCharsets.UTF_8))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        if (!line.startsWith("#")) {
          add(parser.apply(line));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void add(Entry entry) {
    if (entries.put(entry.id(), entry) != null) {
      throw new IllegalStateException("The catalogue has id " + entry.id() + " twice");
    }
  }
}
