package io.roceverbs.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ping-pong on the command line. */
class PingPongCommandTest {
  private static CommandLineRun pingPong(String options) {
    return CommandLineRun.of(("pingpong " + options).trim().split(" "));
  }

  @Test
  void withoutLossEachMessageTakesTenMicrosecondsAndNothingIsSentAgain() {
    CommandLineRun run = pingPong("--iterations 100 --size 64");

    assertThat(run.out().get(0))
        .isEqualTo("rc ping-pong, 100 iterations of 64 bytes, MTU 1024, loss 0.0, seed 1");
    // 200 messages of 10 us, one behind the other, and the last ACK; each is a packet and an ACK.
    assertThat(run.out().get(1)).isEqualTo("virtual time     0.002010 s");
    assertThat(run.out().get(2)).isEqualTo("packets          400");
    assertThat(run.out().get(3)).isEqualTo("retransmissions  0");
    assertThat(run.out().get(4)).matches("wall time        \\d+\\.\\d{3} s");
    assertThat(run.lastLine())
        .matches("RESULT iterations=100 retransmissions=0 trace=[0-9a-f]{16}");
    assertThat(run.out()).hasSize(6);
    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
  }

  @Test
  void tenThousandIterationsAtFivePercentLossFinishWithoutAWrongByte() {
    CommandLineRun run =
        pingPong("--transport rc --iterations 10000 --size 4096 --mtu 1024 --loss 0.05 --seed 1");

    assertThat(run.lastLine())
        .matches("RESULT iterations=10000 retransmissions=[1-9]\\d{3,5} trace=[0-9a-f]{16}");
    assertThat(run.exitCode()).isZero();
  }

  @Test
  void theSeedAloneDecidesTheTrace() {
    String options = "--iterations 200 --loss 0.1 --seed ";

    String first = pingPong(options + "7").lastLine();
    String again = pingPong(options + "7").lastLine();
    String other = pingPong(options + "8").lastLine();

    assertThat(again).isEqualTo(first);
    assertThat(other).startsWith("RESULT iterations=200 ").isNotEqualTo(first);
  }

  @Test
  void inRealTimeThereIsAMedianInsteadOfATrace() {
    CommandLineRun run = pingPong("--real-time --iterations 200 --size 64");

    assertThat(run.out().get(1)).matches("round trip       [1-9]\\d* ns \\(median\\)");
    assertThat(run.lastLine())
        .matches("RESULT iterations=200 retransmissions=\\d+ round_trip_median_ns=[1-9]\\d*");
    assertThat(run.out()).hasSize(6);
    assertThat(run.exitCode()).isZero();
  }

  @Test
  void inRealTimeLostPacketsAreSentAgain() {
    CommandLineRun run = pingPong("--real-time --iterations 50 --size 3000 --loss 0.05");

    assertThat(run.lastLine()).matches("RESULT iterations=50 retransmissions=[1-9].*");
    assertThat(run.exitCode()).isZero();
  }

  @Test
  void inRealTimeADeadNetworkIsReportedToo() {
    CommandLineRun run = pingPong("--real-time --size 64 --loss 1");

    assertThat(run.out())
        .anyMatch(
            line -> line.startsWith("FAILED: client: SEND of iteration 1: RETRY_EXC_ERR(12)"));
    assertThat(run.lastLine())
        .isEqualTo("RESULT iterations=0 retransmissions=7 round_trip_median_ns=0");
    assertThat(run.exitCode()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"256", "512", "1024", "2048", "4096"})
  void everyMtuCarriesTheData(String mtu) {
    CommandLineRun run = pingPong("--iterations 20 --size 10001 --loss 0.02 --mtu " + mtu);

    assertThat(run.lastLine()).startsWith("RESULT iterations=20 retransmissions=");
    assertThat(run.exitCode()).isZero();
  }

  @ParameterizedTest
  @CsvSource({"uc,200", "ud,200", "srq,400", "xrc,400"})
  void everyTransportCarriesTheData(String transport, int packets) {
    CommandLineRun run = pingPong("--iterations 100 --size 1000 --transport " + transport);

    assertThat(run.out().get(0)).startsWith(transport + " ping-pong, 100 iterations of 1000 bytes");
    assertThat(run.out().get(2)).isEqualTo("packets          " + packets);
    assertThat(run.lastLine()).startsWith("RESULT iterations=100 retransmissions=0 trace=");
    assertThat(run.exitCode()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"uc", "ud"})
  void aMessageThatIsNotSentAgainEndsTheGame(String transport) {
    CommandLineRun run = pingPong("--loss 0.2 --seed 3 --size 64 --transport " + transport);

    assertThat(run.out())
        .contains(
            "FAILED: both ends wait, and nothing can happen any more: a message was lost, which "
                + transport
                + " does not send again");
    assertThat(run.exitCode()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"srq", "xrc"})
  void overASharedReceiveQueueLossesAreMadeGood(String transport) {
    CommandLineRun run = pingPong("--loss 0.1 --seed 3 --iterations 200 --transport " + transport);

    assertThat(run.lastLine()).matches("RESULT iterations=200 retransmissions=[1-9]\\d+ trace=.*");
    assertThat(run.exitCode()).isZero();
  }

  @Test
  void aDeadNetworkIsReportedWithTheRequestThatFailed() {
    CommandLineRun run = pingPong("--size 64 --loss 1");

    assertThat(run.out())
        .contains(
            "FAILED: client: SEND of iteration 1: RETRY_EXC_ERR(12) transport retry counter"
                + " exceeded: no acknowledgement for psn 0x000100, and all 7 retries are spent");
    assertThat(run.lastLine()).startsWith("RESULT iterations=0 retransmissions=7 trace=");
    assertThat(run.exitCode()).isEqualTo(1);
  }

  @Test
  void theCaptureHasEveryPacket(@TempDir Path folder) {
    Path capture = folder.resolve("pingpong.pcapng");

    CommandLineRun run =
        CommandLineRun.of(
            "pingpong", "--iterations", "10", "--size", "64", "--pcap", capture.toString());

    assertThat(run.exitCode()).isZero();
    assertThat(CommandLineRun.of("decode", "--quiet", capture.toString()).out())
        .isEqualTo(List.of("packets=40 roce=40 icrc_ok=40 reencoded=40"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--mtu 1000|Invalid value for option '--mtu': \"1000\" is none of 256, 512, 1024, 2048,"
            + " 4096",
        "--mtu 8192|Invalid value for option '--mtu': \"8192\" is none of",
        "--loss 1.5|--loss 1.5 is not in 0 to 1",
        "--loss -0.1|--loss -0.1 is not in 0 to 1",
        "--loss NaN|--loss NaN is not in 0 to 1",
        "--loss much|Invalid value for option '--loss': 'much' is not a double",
        "--iterations 0|--iterations 0 is not in 1 to 2147483647",
        "--size 0|--size 0 is not in 1 to 16777216",
        "--size 16777217|--size 16777217 is not in 1 to 16777216",
        "--transport rd|Invalid value for option '--transport': expected one of",
        "--transport ud --size 4097|--size 4097 does not fit into a datagram, which has 1 to 4096",
        "--pcap /nowhere/a.pcapng|--pcap: the capture can't be written to file /nowhere/a.pcapng",
      })
  void badUsageIsOneLineAndExitCode2(String options, String message) {
    CommandLineRun run = pingPong(options);

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).hasSize(1);
    assertThat(run.err().get(0))
        .startsWith("roceverbs-examples pingpong: " + message)
        .endsWith("(see roceverbs-examples pingpong --help)");
  }
}
