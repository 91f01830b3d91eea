package io.roceverbs.examples;

/** The exit codes of all commands. */
final class ExitCode {
  /** The outcome that the command promises. */
  static final int OK = 0;

  /** Another outcome. */
  static final int FAILED = 1;

  /** Arguments that can't be used. */
  static final int USAGE = 2;

  /** How help texts describe them: the codes are keys for picocli. */
  static final String OK_TEXT = "0:the outcome that the command promises";

  static final String FAILED_TEXT = "1:the scenario failed";
  static final String USAGE_TEXT = "2:the arguments can't be used; one line says why";

  private ExitCode() {}
}
