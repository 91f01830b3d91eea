package io.roceverbs.examples;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.OptionSpec;

/** The program {@code roceverbs-examples}. */
@Command(
    name = "roceverbs-examples",
    description = "Shows RDMA verbs on a simulated, lossy RoCEv2 fabric in virtual time.",
    synopsisSubcommandLabel = "COMMAND",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {ExitCode.OK_TEXT, ExitCode.FAILED_TEXT, ExitCode.USAGE_TEXT},
    footer = "%nEach command has a --help of its own.")
public final class Main implements Callable<Integer> {
  private Main() {}

  /**
   * Runs a command and ends the JVM with its exit code.
   *
   * @param arguments the command and its options
   */
  public static void main(String... arguments) {
    System.exit(run(Terminal.system(), arguments));
  }

  static int run(Terminal terminal, String... arguments) {
    CommandLine commandLine =
        new CommandLine(new Main())
            .addSubcommand(new LostAckCommand(terminal))
            .addSubcommand(new DecodeCommand(terminal))
            .addSubcommand(new PingPongCommand(terminal))
            .addSubcommand(new DevinfoCommand(terminal))
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setOut(terminal.out())
            .setErr(terminal.err())
            .setParameterExceptionHandler(
                (exception, refused) -> refuse(exception.getCommandLine(), exception))
            .setExecutionExceptionHandler(Main::handleFailure);
    addHelp(commandLine);
    commandLine.getSubcommands().values().forEach(Main::addHelp);
    return commandLine.execute(arguments);
  }

  private static void addHelp(CommandLine commandLine) {
    OptionSpec help =
        OptionSpec.builder("--help").usageHelp(true).description("show this help and exit").build();
    commandLine.getCommandSpec().addOption(help);
  }

  private static int handleFailure(
      Exception exception, CommandLine commandLine, CommandLine.ParseResult parsed)
      throws Exception {
    if (exception instanceof UsageException) {
      return refuse(commandLine, exception);
    }
    throw exception;
  }

  private static int refuse(CommandLine commandLine, Exception reason) {
    String name = commandLine.getCommandSpec().qualifiedName();
    String message = String.valueOf(reason.getMessage()).replaceAll("\\R\\s*", " ");
    commandLine.getErr().println(name + ": " + message + " (see " + name + " --help)");
    return ExitCode.USAGE;
  }

  /** Called when no command is given. */
  @Override
  public Integer call() {
    throw new UsageException("a command is missing: lost-ack, decode, pingpong or devinfo");
  }
}
