package io.roceverbs.examples;

import io.roceverbs.sim.diagram.TextStyle;
import java.io.Console;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.Charset;

/**
 * Where a command writes.
 *
 * @param out its results
 * @param err what was wrong with its arguments, and its progress
 * @param style characters that {@code out} can show
 * @param isInteractive whether somebody watches, so that progress is of interest
 */
record Terminal(PrintWriter out, PrintWriter err, TextStyle style, boolean isInteractive) {
  /** The terminal, or whatever else standard output goes to. */
  static Terminal system() {
    Charset charset = nativeCharset();
    boolean showsLines = charset.newEncoder().canEncode('│');
    return new Terminal(
        writer(System.out, charset),
        writer(System.err, charset),
        showsLines ? TextStyle.UNICODE : TextStyle.ASCII,
        isInteractiveSystem());
  }

  /** From JDK 22 on there may be a console without a terminal, and a method that says so. */
  @SuppressWarnings("SystemConsoleNull")
  private static boolean isInteractiveSystem() {
    Console console = System.console();
    if (console == null) {
      return false;
    }
    try {
      return (boolean) Console.class.getMethod("isTerminal").invoke(console);
    } catch (ReflectiveOperationException olderThan22) {
      return true;
    }
  }

  private static Charset nativeCharset() {
    String name = System.getProperty("native.encoding", "");
    return Charset.isSupported(name) ? Charset.forName(name) : Charset.defaultCharset();
  }

  private static PrintWriter writer(OutputStream stream, Charset charset) {
    return new PrintWriter(new OutputStreamWriter(stream, charset), true);
  }
}
