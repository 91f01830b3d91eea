package io.roceverbs.sim.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Every packet that Linux sent in the capture files, decoded and encoded again. */
class CapturedPacketsTest {
  private final PacketCodec codec = new PacketCodec();
  private final Packet packet = new Packet();

  @Test
  void everyPacketDecodesButTheThreeThatWereSpoiltOnPurpose() throws IOException {
    Map<DecodeStatus, Integer> counts = new EnumMap<>(DecodeStatus.class);
    List<String> faults = new ArrayList<>();
    for (Path file : Captures.files()) {
      for (CapturedFrame frame : CaptureReader.readAll(file)) {
        DecodeStatus status = decode(frame);
        counts.merge(status, 1, Integer::sum);
        if (status != DecodeStatus.OK && status != DecodeStatus.NOT_ROCE) {
          faults.add(file.getFileName() + " " + frame.number() + " " + status);
        }
      }
    }

    assertThat(Captures.files()).hasSize(63);
    assertThat(faults)
        .containsExactly(
            "responder_probes.pcap 238 BAD_ICRC",
            "responder_probes.pcap 273 WRONG_TRANSPORT_VERSION",
            "responder_probes.pcap 310 BAD_UDP_CHECKSUM");
    assertThat(counts.get(DecodeStatus.OK)).isEqualTo(3_769 - 3);
  }

  @Test
  void everyIcrcIsRightButOne() throws IOException {
    Icrc icrc = new Icrc();
    int packets = 0;
    List<String> wrong = new ArrayList<>();
    for (Path file : Captures.files()) {
      for (CapturedFrame frame : CaptureReader.readAll(file)) {
        if (decode(frame) == DecodeStatus.NOT_ROCE) {
          continue;
        }
        packets++;
        int icrcOffset = Packets.endOfIpPacket(frame.bytes()) - Icrc.BYTES;
        int computed = icrc.compute(frame.bytes(), 14, icrcOffset - 14);
        if (computed != Icrc.read(frame.bytes(), icrcOffset)) {
          wrong.add(file.getFileName() + " " + frame.number());
        }
      }
    }

    assertThat(packets).isEqualTo(3_769);
    assertThat(wrong).containsExactly("responder_probes.pcap 238");
  }

  @Test
  void everyPacketEncodesToTheSameBytesAgain() throws IOException {
    int same = 0;
    List<String> different = new ArrayList<>();
    for (Path file : Captures.files()) {
      for (CapturedFrame frame : CaptureReader.readAll(file)) {
        if (decode(frame) == DecodeStatus.NOT_ROCE) {
          continue;
        }
        byte[] encoded = codec.toFrame(Packets.copy(packet));
        byte[] captured = Arrays.copyOf(frame.bytes(), Packets.endOfIpPacket(frame.bytes()));
        if (Arrays.equals(encoded, captured)) {
          same++;
        } else {
          different.add(file.getFileName() + " " + frame.number());
          Packets.repairIcrc(captured);
          assertThat(encoded).as("all but the ICRC").isEqualTo(captured);
        }
      }
    }

    assertThat(same).isEqualTo(3_768);
    assertThat(different).containsExactly("responder_probes.pcap 238");
  }

  @Test
  void theViewRecognisesTheSamePackets() throws IOException {
    int recognised = 0;
    for (Path file : Captures.files()) {
      for (CapturedFrame frame : CaptureReader.readAll(file)) {
        boolean roce = PacketView.isRoce(frame.bytes(), 0, frame.bytes().length);
        assertThat(roce).isEqualTo(decode(frame) != DecodeStatus.NOT_ROCE);
        recognised += roce ? 1 : 0;
      }
    }
    assertThat(recognised).isEqualTo(3_769);
  }

  @Test
  void aCaptureReadsAsTheConversationThatItIs() throws IOException {
    List<String> lines = new ArrayList<>();
    for (CapturedFrame frame : CaptureReader.readAll(Captures.file("loss_send_bw_middle.pcap"))) {
      if (decode(frame) == DecodeStatus.OK) {
        lines.add(packet.toString());
      }
    }
    assertThat(lines).hasSize(26);
    assertThat(lines).filteredOn(line -> line.startsWith("NAK(PSN_SEQUENCE_ERROR)")).hasSize(1);
    assertThat(lines).filteredOn(line -> line.startsWith("SEND_MIDDLE")).hasSize(7);
  }

  private DecodeStatus decode(CapturedFrame frame) {
    return codec.decode(frame.bytes(), 0, frame.bytes().length, packet);
  }
}
