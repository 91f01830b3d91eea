package io.roceverbs.sim;

/**
 * A verbs object that nobody has closed.
 *
 * @param node name of its node
 * @param object the object in words
 * @param createdAt the line of the program that made it, as in a stack trace; empty if places are
 *     not remembered, see {@link LeakCheck#OFF}
 */
public record Leak(String node, String object, String createdAt) {
  /** One line: {@code a: ProtectionDomain 1 of a, created at app.Main.run(Main.java:12)}. */
  @Override
  public String toString() {
    String place = createdAt.isEmpty() ? "" : ", created at " + createdAt;
    return node + ": " + object + place;
  }
}
