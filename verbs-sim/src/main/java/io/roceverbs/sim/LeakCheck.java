package io.roceverbs.sim;

/** What {@link Fabric#close()} does about verbs objects that are open then. */
public enum LeakCheck {
  /**
   * Nothing, and the places where objects are made are not remembered: for those who make thousands
   * of fabrics a second.
   */
  OFF,

  /** One warning in the log lists them all. */
  WARN,

  /** The fabric is closed, and a {@link LeakException} lists them all. */
  FAIL
}
