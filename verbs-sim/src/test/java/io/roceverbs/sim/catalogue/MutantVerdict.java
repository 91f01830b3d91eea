package io.roceverbs.sim.catalogue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What became of a mutant.
 *
 * @param killer the test that found it; for all others what happened instead
 */
record MutantVerdict(String id, Kind kind, String killer) {
  enum Kind {
    KILLED,
    SURVIVED,
    HANGS,
    DOES_NOT_COMPILE
  }

  boolean isKilled() {
    return kind == Kind.KILLED;
  }

  /** The killer, or what happened instead. */
  String words() {
    return isKilled() ? killer : kind + ": " + killer;
  }

  static void write(List<MutantVerdict> verdicts, Path file) throws IOException {
    List<String> lines = new ArrayList<>();
    for (MutantVerdict verdict : verdicts) {
      lines.add(String.join("\t", verdict.id, verdict.kind.name(), verdict.killer));
    }
    Files.write(file, lines);
  }

  static List<MutantVerdict> read(Path file) throws IOException {
    List<MutantVerdict> verdicts = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      String[] fields = line.split("\t", -1);
      verdicts.add(new MutantVerdict(fields[0], Kind.valueOf(fields[1]), fields[2]));
    }
    return verdicts;
  }
}
