package io.roceverbs.sim.catalogue;

/**
 * A fault of one line that a rule's own test must find.
 *
 * @param id the rule
 * @param file its source, below {@code io/roceverbs/sim}
 * @param before the line as it is, without the space around it; it is in the file once
 * @param after the line as it must not be
 * @param testClass the class with the test, below {@code io.roceverbs.sim}
 */
public record Mutant(String id, String file, String before, String after, String testClass) {
  private static final String ROOT = "io/roceverbs/sim/";

  /** The source's path below the root of the sources. */
  public String path() {
    return ROOT + file;
  }

  /** Whether a test is in the class that must find the fault, or nested in it. */
  public boolean isFoundBy(CheckingTest test) {
    String name = ROOT.replace('/', '.') + testClass;
    return test.className().equals(name) || test.className().startsWith(name + "$");
  }

  /** How often the line is in a source. */
  public long occurrences(String source) {
    return source.lines().filter(line -> line.strip().equals(before)).count();
  }

  /** The source with the fault. */
  String applyTo(String source) {
    StringBuilder mutated = new StringBuilder(source.length());
    source
        .lines()
        .forEach(line -> mutated.append(line.strip().equals(before) ? after : line).append('\n'));
    return mutated.toString();
  }

  @Override
  public String toString() {
    return id + " in " + file + ", found by " + testClass + ": " + before;
  }
}
