package io.roceverbs.examples;

import io.roceverbs.sim.diagram.TextStyle;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;

/**
 * One call of the program, inside this JVM.
 *
 * @param exitCode what it exited with
 * @param out the lines it printed
 * @param err the lines it complained with
 */
record CommandLineRun(int exitCode, List<String> out, List<String> err) {
  static CommandLineRun of(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    Terminal terminal =
        new Terminal(new PrintWriter(out), new PrintWriter(err), TextStyle.ASCII, false);
    int exitCode = Main.run(terminal, arguments);
    return new CommandLineRun(
        exitCode, out.toString().lines().toList(), err.toString().lines().toList());
  }

  String lastLine() {
    return out.get(out.size() - 1);
  }
}
