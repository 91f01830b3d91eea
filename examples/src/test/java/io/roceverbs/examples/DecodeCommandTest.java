package io.roceverbs.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.AbstractStringAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Captures on the command line: lines, totals, and bad files. */
class DecodeCommandTest {
  /** The captures that Linux made are test resources of the module with the codec. */
  private static final Path CAPTURES =
      Path.of(System.getProperty("basedir", ""), "..", "verbs-sim/src/test/resources/captures");

  @TempDir private Path folder;

  private static String capture(String name) {
    return CAPTURES.resolve(name).toString();
  }

  @Test
  void allCapturesOfLinuxAreRightButTheOneSpoiltPacket() throws IOException {
    List<String> arguments = new ArrayList<>(List.of("decode", "--quiet"));
    try (Stream<Path> files = Files.list(CAPTURES)) {
      files.map(Path::toString).filter(name -> name.endsWith(".pcap")).forEach(arguments::add);
    }

    CommandLineRun run = CommandLineRun.of(arguments.toArray(new String[0]));

    assertThat(run.out()).containsExactly("packets=4965 roce=3769 icrc_ok=3768 reencoded=3768");
    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isEqualTo(1);
  }

  @Test
  void theSpoiltPacketIsNamed() {
    CommandLineRun run = CommandLineRun.of("decode", capture("responder_probes.pcap"));

    assertThat(run.out())
        .filteredOn(line -> line.contains("BAD_ICRC"))
        .singleElement()
        .asString()
        .startsWith("responder_probes.pcap:238 ")
        .contains("10.77.0.2 > 10.77.0.1 SEND_ONLY qp=0x000028 psn=0x58ad04 ackreq len=16")
        .endsWith("(encodes to other bytes)");
    assertThat(run.exitCode()).isEqualTo(1);
  }

  @Test
  void eachPacketHasALineAndTheTotalsComeLast() {
    CommandLineRun run =
        CommandLineRun.of(
            "decode", capture("rc_pingpong_64.pcap"), capture("rc_pingpong_ipv6.pcap"));

    String totals = run.lastLine();
    assertThat(totals).matches("packets=(\\d+) roce=34 icrc_ok=34 reencoded=34");
    assertThat(totals).startsWith("packets=" + (run.out().size() - 1) + " ");
    assertThat(run.out()).filteredOn(line -> line.contains(" not RoCEv2, ")).isNotEmpty();
    assertThat(run.out())
        .filteredOn(line -> line.startsWith("rc_pingpong_ipv6.pcap:") && line.contains("fe80::"))
        .filteredOn(line -> line.contains(" SEND_FIRST qp="))
        .hasSize(6);
    assertThat(run.exitCode()).isZero();
  }

  @Test
  void quietPrintsTheTotalsOnly() {
    CommandLineRun run = CommandLineRun.of("decode", capture("rc_pingpong_64.pcap"), "--quiet");

    assertThat(run.out()).singleElement().asString().contains(" roce=16 icrc_ok=16 reencoded=16");
    assertThat(run.exitCode()).isZero();
  }

  @Test
  void aTruncatedFileIsRefusedBeforeAnythingIsPrinted() throws IOException {
    Path good = CAPTURES.resolve("rc_pingpong_64.pcap");
    byte[] bytes = Files.readAllBytes(good);
    Path truncated = folder.resolve("short.pcap");
    Files.write(truncated, Arrays.copyOf(bytes, bytes.length - 1));

    refused(good.toString(), truncated.toString()).contains("the capture is truncated at frame");
  }

  @Test
  void whatIsNoCaptureIsRefused() throws IOException {
    Path text = folder.resolve("text.pcap");
    Files.writeString(text, "Not a capture.");
    Path empty = folder.resolve("empty.pcap");
    Files.write(empty, new byte[0]);

    refused(text.toString()).contains("not a capture: the file starts with 0x4e6f7420");
    refused(empty.toString()).contains("not a capture: the file has 0 bytes");
    refused(folder.toString()).contains("not a regular file");
  }

  @Test
  void aMissingFileIsRefused() {
    refused(folder.resolve("none.pcap").toString()).contains("there is no such file");
    refused().contains("Missing required parameter: 'FILE'");
  }

  private static AbstractStringAssert<?> refused(String... files) {
    List<String> arguments = new ArrayList<>(List.of("decode"));
    arguments.addAll(List.of(files));
    CommandLineRun run = CommandLineRun.of(arguments.toArray(new String[0]));
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).hasSize(1);
    return assertThat(run.err().get(0)).startsWith("roceverbs-examples decode: ");
  }
}
