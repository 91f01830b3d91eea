package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.ConnectionSetup;
import io.roceverbs.sim.fabric.impair.Rule;
import io.roceverbs.sim.profile.DeviceProfile;
import io.roceverbs.sim.wire.Opcode;
import io.roceverbs.sim.wire.Packet;
import io.roceverbs.verbs.AccessFlag;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Packets that no correct requester sends, to a responder of the profile {@code softRoce}: its
 * answers are those of the Linux 6.1 driver, which a probe has written down (see {@code
 * captures/README.md}).
 *
 * <p>The probed queue pair has one receive of 16 bytes, and a region of 64 bytes that the peer may
 * read and write.
 */
class SoftRoceProbesTest {
  private static final int BAD_RKEY = 0x12345678;
  private static final Pattern ANSWER =
      Pattern.compile(
          "got (?:op (0x10) psn \\+0 payload (\\d+)|(?:RNR NAK|NAK|ACK) syndrome (0x..) psn"
              + " ([+-]\\d+) msn (\\d+))");

  private final RawPeer peer =
      RawPeer.connected(ConnectionSetup.standard().withMinRnrTimer(0), DeviceProfile.softRoce());
  private final Side.Memory region =
      peer.b.memory(64, 7, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE);
  private final Map<String, Runnable> probes = new LinkedHashMap<>();

  SoftRoceProbesTest() {
    peer.b.postReceive(1, peer.b.memory(16, 0));
    reads();
    writes();
    sends();
    filters();
  }

  private void reads() {
    probes.put("read_ok", () -> read(region.address(), region.rkey(), 8));
    probes.put(
        "read_twice_same_psn",
        () -> {
          read(region.address(), region.rkey(), 8);
          read(region.address(), region.rkey(), 8);
        });
    probes.put("read_zero_length_bad_rkey", () -> read(0, BAD_RKEY, 0));
    probes.put("read_past_end", () -> read(region.address(), region.rkey(), 64 + 4096));
    probes.put("fetch_add_no_access", () -> fetchAdd(0));
    probes.put("fetch_add_misaligned", () -> fetchAdd(4));
  }

  private void writes() {
    probes.put("write_bad_rkey", () -> write(region.rkey() ^ 0xFFFF00, 8, 8));
    probes.put("write_wrong_key_byte", () -> write(region.rkey() ^ 1, 8, 8));
    probes.put("write_ok", () -> write(region.rkey(), 8, 8));
    probes.put("write_zero_length_bad_rkey", () -> write(BAD_RKEY, 0, 0));
    probes.put("write_payload_shorter_than_dmalen", () -> write(region.rkey(), 16, 8));
  }

  private void sends() {
    probes.put("send_too_long_for_receive", () -> send(Opcode.RC_SEND_ONLY, 0, 64));
    probes.put(
        "send_twice_one_receive",
        () -> {
          send(0);
          send(1);
        });
    probes.put(
        "send_psn_gap",
        () -> {
          send(2);
          send(3);
          send(0);
        });
    probes.put("send_old_psn", () -> send(-1));
    probes.put("send_middle_without_first", () -> send(Opcode.RC_SEND_MIDDLE, 0, 1024));
    probes.put(
        "send_first_then_only",
        () -> {
          send(Opcode.RC_SEND_FIRST, 0, 1024);
          send(1);
        });
    probes.put("send_first_shorter_than_mtu", () -> send(Opcode.RC_SEND_FIRST, 0, 8));
    probes.put(
        "reserved_opcode_0x1f",
        () -> send(Opcode.RC_RESERVED, 0, 16, packet -> packet.opcodeValue(0x1F)));
    probes.put("uc_opcode_on_rc_qp", () -> send(Opcode.UC_SEND_ONLY, 0, 16));
    probes.put("send_no_ackreq", () -> sendWith(packet -> packet.ackRequest(false)));
    probes.put("send_inv_user_mr", () -> sendInvalidate(region.rkey()));
    probes.put("send_inv_bad_rkey", () -> sendInvalidate(BAD_RKEY));
    probes.put("send_pad_3", () -> send(Opcode.RC_SEND_ONLY, 0, 13));
  }

  private void filters() {
    probes.put(
        "send_bad_icrc",
        () -> {
          peer.fabric.impair(Rule.parse("corrupt:raw>b/RC_SEND_ONLY#1"));
          send(0);
          send(0);
        });
    probes.put("send_wrong_pkey", () -> twice(packet -> packet.partitionKey(0x8001)));
    probes.put("send_limited_pkey_7fff", () -> sendWith(packet -> packet.partitionKey(0x7FFF)));
    probes.put("send_tver_1", () -> twice(packet -> packet.transportVersion(1)));
    probes.put("send_mig_0", () -> sendWith(packet -> packet.migrated(false)));
    probes.put("send_unknown_qpn", () -> twice(packet -> packet.destinationQueuePair(0x7777)));
    probes.put(
        "send_udp_checksum_wrong", () -> twice(packet -> packet.network().udpChecksum(0xDEAD)));
    probes.put(
        "send_other_source_port", () -> sendWith(packet -> packet.network().sourcePort(1234)));
    probes.put("send_ecn_ce", () -> sendWith(packet -> packet.network().trafficClass(3)));
    probes.put("cnp", () -> send(Opcode.CNP, 0, 16));
    probes.put("ack_unexpected", () -> peer.acknowledge(RawPeer.PSN + 5, 0x1F));
    probes.put("nak_remote_access_unasked", () -> peer.acknowledge(RawPeer.PSN, 0x62));
  }

  private void read(long address, int rkey, int length) {
    peer.send(Opcode.RC_READ_REQUEST, RawPeer.PSN, RawPeer.reth(address, rkey, length));
    peer.runRoundTrip();
  }

  private void fetchAdd(int offset) {
    peer.send(
        Opcode.RC_FETCH_ADD,
        RawPeer.PSN,
        packet ->
            packet
                .atomicEth()
                .remoteAddress(region.address() + offset)
                .rkey(region.rkey())
                .swapOrAdd(1));
    peer.runRoundTrip();
  }

  private void write(int rkey, int dmaLength, int payload) {
    peer.send(
        Opcode.RC_WRITE_ONLY,
        RawPeer.PSN,
        payload,
        1,
        RawPeer.reth(region.address(), rkey, dmaLength));
    peer.runRoundTrip();
  }

  private void send(int psnOffset) {
    send(Opcode.RC_SEND_ONLY, psnOffset, 16);
  }

  private void send(Opcode opcode, int psnOffset, int length) {
    send(opcode, psnOffset, length, packet -> {});
  }

  private void send(Opcode opcode, int psnOffset, int length, Consumer<Packet> fields) {
    peer.send(opcode, RawPeer.PSN + psnOffset, length, 1, fields);
    peer.runRoundTrip();
  }

  private void sendWith(Consumer<Packet> fields) {
    send(Opcode.RC_SEND_ONLY, 0, 16, fields);
  }

  private void sendInvalidate(int rkey) {
    send(Opcode.RC_SEND_ONLY_WITH_INVALIDATE, 0, 16, packet -> packet.invalidateRkey(rkey));
  }

  /** A packet that the filter drops, and a good one that shows that nothing came of it. */
  private void twice(Consumer<Packet> fields) {
    sendWith(fields);
    send(0);
  }

  // ---- the record ----------------------------------------------------------------------------

  static Stream<String> record() throws IOException {
    try (InputStream stream =
        Objects.requireNonNull(
            SoftRoceProbesTest.class.getResourceAsStream("/captures/responder_probes.txt"))) {
      String text = new String(stream.readAllBytes(), StandardCharsets.UTF_8);
      return text.lines().toList().stream();
    }
  }

  /** The answers of a line, each as syndrome, PSN and MSN, or as the bytes of a READ. */
  private static List<String> recorded(String line) {
    List<String> answers = new ArrayList<>();
    Matcher matcher = ANSWER.matcher(line);
    while (matcher.find()) {
      answers.add(
          matcher.group(1) != null
              ? "read of " + (Integer.parseInt(matcher.group(2)) - 4)
              : matcher.group(3) + " psn " + matcher.group(4) + " msn " + matcher.group(5));
    }
    return answers;
  }

  private List<String> answered() {
    return peer.received().stream().map(SoftRoceProbesTest::answer).toList();
  }

  private static String answer(String packet) {
    if (packet.startsWith("READ_RESPONSE_ONLY")) {
      return "read of " + packet.substring(packet.indexOf("len=") + 4);
    }
    int psn = Integer.parseInt(packet.replaceAll(".*psn=0x([0-9a-f]+).*", "$1"), 16);
    String syndrome =
        switch (packet.substring(0, packet.indexOf(' '))) {
          case "ACK" -> "0x1f";
          case "RNR_NAK(0)" -> "0x20";
          case "NAK(PSN_SEQUENCE_ERROR)" -> "0x60";
          case "NAK(INVALID_REQUEST)" -> "0x61";
          case "NAK(REMOTE_ACCESS_ERROR)" -> "0x62";
          case "NAK(REMOTE_OPERATIONAL_ERROR)" -> "0x63";
          default -> packet;
        };
    String msn = packet.replaceAll(".*msn=(\\d+).*", "$1");
    return String.format(Locale.ROOT, "%s psn %+d msn %s", syndrome, psn - RawPeer.PSN, msn);
  }

  @ParameterizedTest
  @MethodSource("record")
  void theAnswersAreThoseOfTheDriver(String line) {
    String name = line.substring(0, line.indexOf(' '));
    probes.get(name).run();
    List<String> expected = recorded(line);
    if (name.equals("send_old_psn")) {
      // The record has the distance to the PSN of that connection; what it stands for is 0xFFFFFF.
      expected = List.of(String.format(Locale.ROOT, "0x1f psn %+d msn 0", 0xFFFFFF - RawPeer.PSN));
    }
    assertThat(answered()).as(line).isEqualTo(expected);
    assertThat(peer.completions().contains("RECV 1 SUCCESS"))
        .as(line)
        .isEqualTo(line.contains("got SEND psn 1001") || name.equals("send_pad_3"));
    peer.close();
  }

  @Test
  void everyLineOfTheRecordHasAProbe() throws IOException {
    assertThat(probes.keySet())
        .containsExactlyInAnyOrderElementsOf(
            record().map(line -> line.substring(0, line.indexOf(' '))).toList());
    peer.close();
  }
}
