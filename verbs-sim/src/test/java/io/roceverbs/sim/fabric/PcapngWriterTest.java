package io.roceverbs.sim.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.wire.CaptureReader;
import io.roceverbs.sim.wire.CapturedFrame;
import io.roceverbs.sim.wire.DecodeStatus;
import io.roceverbs.sim.wire.Packet;
import io.roceverbs.sim.wire.PacketCodec;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PcapngWriterTest {
  @TempDir Path folder;

  @Test
  void framesAreReadBackWithTheirTimesAndBytes() throws IOException {
    Path file = folder.resolve("two.pcapng");
    byte[] bytes = {9, 1, 2, 3, 4, 5, 9};
    try (PcapngWriter writer = PcapngWriter.open(file)) {
      writer.write(CapturePlace.NODE, 1, bytes, 1, 5, null);
      writer.write(CapturePlace.NODE, 0x1_0000_0002L, bytes, 1, 4, "a comment");
    }

    List<CapturedFrame> frames = CaptureReader.readAll(file);

    assertThat(frames)
        .extracting(CapturedFrame::timestampNanos)
        .containsExactly(1L, 0x1_0000_0002L);
    assertThat(frames.get(0).bytes()).containsExactly(1, 2, 3, 4, 5);
    assertThat(frames.get(1).bytes()).containsExactly(1, 2, 3, 4);
    assertThat(Files.size(file)).isEqualTo(56 + 32 + 40 + 36 + 20);
    assertThat(Files.readString(file, StandardCharsets.ISO_8859_1))
        .contains("RoCE verbs simulator")
        .contains("a comment");
  }

  @Test
  void aFrameIsCapturedOnceAndEachCopyOnceMore() throws IOException {
    Path file = folder.resolve("impaired.pcapng");
    try (TestNetwork network = new TestNetwork(1, PcapngWriter.open(file))) {
      FakeClient alice = network.node("alice");
      FakeClient bob = network.node("bob");
      network.rule("drop:alice>bob/SEND#1");
      network.rule("duplicate=2:alice>bob/SEND#2");
      network.rule("corrupt:alice>bob/SEND#3");
      for (int psn = 1; psn <= 4; psn++) {
        alice.send(bob, psn, 100);
      }
      network.run();
      alice.send(bob, 5, 100);
    }

    List<CapturedFrame> frames = CaptureReader.readAll(file);

    assertThat(frames).extracting(PcapngWriterTest::psnOf).containsExactly(1, 2, 2, 2, 3, 4, 5);
    assertThat(frames)
        .extracting(CapturedFrame::timestampNanos)
        .containsExactly(0L, 0L, 0L, 0L, 0L, 0L, 10_000L);
    assertThat(Files.readString(file, StandardCharsets.ISO_8859_1))
        .containsSubsequence(
            "dropped by rule drop:alice>bob/SEND#1",
            "duplicated by rule duplicate=2:alice>bob/SEND#2",
            "duplicate of frame 2 by rule duplicate=2:alice>bob/SEND#2",
            "duplicate of frame 2 by rule duplicate=2:alice>bob/SEND#2",
            "one bit flipped by rule corrupt:alice>bob/SEND#3");
  }

  private static int psnOf(CapturedFrame frame) {
    Packet packet = new Packet();
    DecodeStatus status = new PacketCodec().decode(frame.bytes(), 0, frame.bytes().length, packet);
    assertThat(status).isEqualTo(DecodeStatus.OK);
    return packet.psn();
  }

  @Test
  void anEmptyCaptureIsOneSectionWithOneInterface() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    new PcapngWriter(bytes).close();

    assertThat(bytes.toByteArray()).hasSize(56 + 32).startsWith(0x0A, 0x0D, 0x0D, 0x0A);
  }
}
