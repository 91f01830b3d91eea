package io.roceverbs.sim.catalogue;

/** Where an entry of the catalogue comes from, which its id tells. */
public enum Kind {
  RULE("Rules of the engine"),
  REPORT("Public reports"),
  STATEMENT("Statements that implementers get wrong"),
  TEST("Tests of rdma-core, and ours beside them");

  private final String title;

  Kind(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }

  static Kind of(String id) {
    if (id.contains(".")) {
      return TEST;
    }
    if (id.matches("C\\d\\d")) {
      return REPORT;
    }
    if (id.matches("S\\d\\d")) {
      return STATEMENT;
    }
    if (id.matches("[A-Z]+(-[A-Z]+)+")) {
      return RULE;
    }
    throw new IllegalArgumentException("No kind of entry has an id like " + id);
  }
}
