package io.roceverbs.examples;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The program without a command, with a wrong one, and its help. */
class MainTest {
  @ParameterizedTest
  @ValueSource(strings = {"lost-ack", "decode", "pingpong"})
  void everyCommandHasHelpWithItsExitCodes(String command) {
    CommandLineRun run = CommandLineRun.of(command, "--help");

    assertThat(run.out().get(0)).startsWith("Usage: roceverbs-examples " + command);
    assertThat(run.out()).anyMatch(line -> line.trim().startsWith("--help"));
    assertThat(run.out()).contains("Exit codes:");
    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
  }

  @Test
  void theHelpOfTheProgramNamesTheCommands() {
    CommandLineRun run = CommandLineRun.of("--help");

    assertThat(String.join("\n", run.out())).contains("  lost-ack ", "  decode ", "  pingpong ");
    assertThat(run.exitCode()).isZero();
  }

  @Test
  void withoutACommandItSaysWhichThereAre() {
    CommandLineRun run = CommandLineRun.of();

    assertThat(run.err())
        .containsExactly(
            "roceverbs-examples: a command is missing: lost-ack, decode, pingpong or devinfo"
                + " (see roceverbs-examples --help)");
    assertThat(run.exitCode()).isEqualTo(2);
  }

  @Test
  void anUnknownCommandIsOneLineAndExitCode2() {
    CommandLineRun run = CommandLineRun.of("bogus");

    assertThat(run.err())
        .containsExactly(
            "roceverbs-examples: Unmatched argument at index 0: 'bogus'"
                + " (see roceverbs-examples --help)");
    assertThat(run.out()).isEmpty();
    assertThat(run.exitCode()).isEqualTo(2);
  }
}
