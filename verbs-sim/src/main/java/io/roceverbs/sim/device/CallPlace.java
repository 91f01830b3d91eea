package io.roceverbs.sim.device;

/** A line of a program, as reports name it: as in a stack trace, without loader and module. */
public final class CallPlace {
  private CallPlace() {}

  /** The line in words, such as {@code org.example.MyTest.run(MyTest.java:17)}. */
  public static String text(StackTraceElement frame) {
    return frame.getClassName()
        + "."
        + frame.getMethodName()
        + "("
        + frame.getFileName()
        + ":"
        + frame.getLineNumber()
        + ")";
  }
}
