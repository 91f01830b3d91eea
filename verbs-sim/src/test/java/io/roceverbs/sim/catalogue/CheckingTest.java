package io.roceverbs.sim.catalogue;

/** A test method that names an entry of the catalogue. */
public record CheckingTest(String className, String method) implements Comparable<CheckingTest> {
  @Override
  public int compareTo(CheckingTest other) {
    int byClass = className.compareTo(other.className);
    return byClass != 0 ? byClass : method.compareTo(other.method);
  }

  /** Class and method without the package, {@code AtomicTest.AtTheResponder.anAtomic...}. */
  @Override
  public String toString() {
    return className.substring(className.lastIndexOf('.') + 1).replace('$', '.') + "." + method;
  }
}
