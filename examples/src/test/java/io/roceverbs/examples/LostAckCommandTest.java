package io.roceverbs.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.wire.CaptureReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The story told by the command line: what it prints and how it exits. */
class LostAckCommandTest {
  private static final String CHECK =
      "check failed: initiator, SEND wr 2: LOC_PROT_ERR(4) local protection error: retransmission"
          + " of psn 0x000100 can't be gathered: segment 1: lkey 0x00000502,";

  private static CommandLineRun lostAck(String options) {
    String line = options.isEmpty() ? "lost-ack" : "lost-ack " + options;
    return CommandLineRun.of(line.split(" "));
  }

  @Test
  void theCarelessInitiatorLosesItsConnectionToOneLostAck() {
    CommandLineRun run = lostAck("");

    assertThat(run.exitCode()).isZero();
    assertThat(run.err()).isEmpty();
    List<String> summary = run.out().subList(run.out().size() - 5, run.out().size());
    assertThat(summary.get(0)).isEqualTo("dropped: target>initiator/ACK#1");
    assertThat(summary.get(1))
        .isEqualTo("the initiator called the command done before its SEND had completed");
    assertThat(summary.get(2)).startsWith(CHECK).contains("in the free state");
    assertThat(summary.get(3)).isEqualTo("flushed behind it: 3 receives");
    assertThat(summary.get(4)).isEqualTo("RESULT ulp=careless send=LOC_PROT_ERR(4) qp=ERR");
  }

  @Test
  void theDiagramShowsVerbsCallsPacketsAndVirtualTimes() {
    String diagram = String.join("\n", lostAck("").out());

    assertThat(diagram)
        .startsWith("A careless initiator, dropped: target>initiator/ACK#1\n")
        .contains("post wr 1 REG_MR", "post wr 2 SEND 4116", "post wr 101-104")
        .contains("X- ACK psn=0x000101 msn=1", "SEND_ONLY_WITH_INVALIDATE")
        .contains("key 0x00000502 invalid", "wr 102-104 RECV WR_FLUSH_ERR(5)")
        .containsSubsequence("\n0 ns ", "\n10.000 us ", "\n20.000 us ", "\n67.108 ms ");
  }

  @ParameterizedTest
  @CsvSource({
    "careful, target>initiator/ACK#1",
    "careful, none",
    "careful, initiator>target/SEND#1",
    "careful, initiator>target/SEND#2",
    "careful, target>initiator/SEND#1",
    "careful, initiator>target/ACK#1",
    "careless, none",
    "careless, initiator>target/SEND#1",
    "careless, initiator>target/SEND#2",
    "careless, drop:target>initiator/SEND#1",
    "careless, initiator>target/ACK#1",
  })
  void everyOtherLossIsHealed(String ulp, String drop) {
    CommandLineRun run = lostAck("--ulp " + ulp + " --drop " + drop);

    assertThat(run.lastLine()).isEqualTo("RESULT ulp=" + ulp + " send=SUCCESS(0) qp=RTS");
    assertThat(run.out().get(run.out().size() - 2)).isEqualTo("check failed: none");
    assertThat(run.exitCode()).isZero();
  }

  @Test
  void theCarefulInitiatorEndsAtTheRetransmissionAndNotAtTheReply() {
    String diagram = String.join("\n", lostAck("--ulp careful").out());

    assertThat(diagram)
        .containsSubsequence("the reply is here", "67.108 ms", "67.128 ms", "command 1 done: the")
        .doesNotContain("before its SEND had completed", "REG_MR", "WITH_INV");
  }

  @ParameterizedTest
  @CsvSource({
    "--retries 0, careless, RETRY_EXC_ERR(12), ERR",
    "--ulp careful --retries 0, careful, RETRY_EXC_ERR(12), ERR",
    "--ulp careful --drop target>initiator/ACK, careful, RETRY_EXC_ERR(12), ERR",
    "--timeout 0, careless, NONE, RTS",
    "--ulp careful --timeout 0, careful, NONE, RTS",
  })
  void anOutcomeThatWasNotPromisedIsAFailure(
      String options, String ulp, String send, String state) {
    CommandLineRun run = lostAck(options);

    assertThat(run.lastLine()).isEqualTo("RESULT ulp=" + ulp + " send=" + send + " qp=" + state);
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).isEmpty();
  }

  @Test
  void aRuleThatHitsNothingIsAFailureAndSaysSo() {
    CommandLineRun run = lostAck("--drop initiator>target/WRITE");

    assertThat(run.out())
        .contains("dropped: nothing, since no packet of this run is initiator>target/WRITE");
    assertThat(run.lastLine()).isEqualTo("RESULT ulp=careless send=SUCCESS(0) qp=RTS");
    assertThat(run.exitCode()).isEqualTo(1);
  }

  @Test
  void theTimeoutOptionMovesTheEnd() {
    CommandLineRun run = lostAck("--timeout 4");

    assertThat(run.out()).anyMatch(line -> line.startsWith("65.536 us "));
    assertThat(run.lastLine()).isEqualTo("RESULT ulp=careless send=LOC_PROT_ERR(4) qp=ERR");
  }

  @Test
  void captureAndPictureAreWritten(@TempDir Path folder) throws IOException {
    Path capture = folder.resolve("story.pcapng");
    Path picture = folder.resolve("story.svg");

    CommandLineRun run =
        CommandLineRun.of(
            "lost-ack", "--pcap", capture.toString(), "--diagram", picture.toString());

    assertThat(run.exitCode()).isZero();
    assertThat(CaptureReader.readAll(capture)).hasSize(5);
    assertThat(Files.readString(picture)).startsWith("<").contains("<svg", "LOC_PROT_ERR(4)");
    assertThat(CommandLineRun.of("decode", "--quiet", capture.toString()).out())
        .containsExactly("packets=5 roce=5 icrc_ok=5 reencoded=5");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--drop foo|Invalid value for option '--drop': rule \"drop:foo\": there is no '>'",
        "--drop initiator>target/FOO|Invalid value for option '--drop': rule"
            + " \"drop:initiator>target/FOO\": kind \"FOO\" is neither an opcode",
        "--drop initiator>target/SEND#0|Invalid value for option '--drop': rule"
            + " \"drop:initiator>target/SEND#0\": occurrence \"0\" is not a whole number",
        "--drop behind:initiator>target/SEND|Invalid value for option '--drop': \"behind\" is not",
        "--drop a>b/ACK|--drop: rule \"drop:a>b/ACK\" can never match: there is no node \"a\"",
        "--timeout 32|--timeout 32 is not in 0 to 31",
        "--timeout soon|Invalid value for option '--timeout': 'soon' is not an int",
        "--retries 8|--retries 8 is not in 0 to 7",
        "--ulp lazy|Invalid value for option '--ulp': expected one of",
        "--pcap /nowhere/a.pcapng|--pcap: the capture can't be written to file /nowhere/a.pcapng",
        "--diagram /nowhere/a.svg|--diagram: it can't be written to file /nowhere/a.svg",
        "--bogus|Unknown option: '--bogus'",
        "more|Unmatched argument at index 1: 'more'",
      })
  void badUsageIsOneLineAndExitCode2(String options, String message) {
    CommandLineRun run = lostAck(options);

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).hasSize(1);
    assertThat(run.err().get(0))
        .startsWith("roceverbs-examples lost-ack: " + message)
        .endsWith("(see roceverbs-examples lost-ack --help)");
  }
}
