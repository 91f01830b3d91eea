package io.roceverbs.sim.catalogue;

/**
 * One line of the catalogue.
 *
 * @param reason why it is excluded, else empty
 */
public record Entry(String id, Status status, String sentence, String source, String reason) {
  /** A line of {@code rules.tsv}: a rule stands in the code, so it is done. */
  static Entry ofRule(String line) {
    String[] fields = fields(line, 3, 3);
    return new Entry(fields[0], Status.DONE, fields[1], fields[2], "");
  }

  /** A line of {@code conformance.tsv}. */
  static Entry ofExpectation(String line) {
    String[] fields = fields(line, 4, 5);
    return new Entry(
        fields[0], Status.of(fields[1]), fields[2], fields[3], fields.length == 5 ? fields[4] : "");
  }

  public Kind kind() {
    return Kind.of(id);
  }

  private static String[] fields(String line, int least, int most) {
    String[] fields = line.split("\t", -1);
    if (fields.length < least || fields.length > most) {
      throw new IllegalArgumentException(
          "%d fields instead of %d to %d: %s".formatted(fields.length, least, most, line));
    }
    return fields;
  }
}
