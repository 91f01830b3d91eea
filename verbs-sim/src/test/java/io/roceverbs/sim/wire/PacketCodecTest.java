package io.roceverbs.sim.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class PacketCodecTest {
  private static final int IPV4_UDP = 34;
  private static final int IPV4_BTH = 42;

  private final PacketCodec codec = new PacketCodec();
  private final Packet decoded = new Packet();

  @ParameterizedTest
  @EnumSource
  void aPacketBecomesTheKnownFrame(Vectors vector) {
    assertThat(codec.toFrame(vector.packet())).isEqualTo(vector.frame());
    assertThat(PacketCodec.frameLength(vector.packet())).isEqualTo(vector.frame().length);
  }

  @ParameterizedTest
  @EnumSource
  void aFrameBecomesTheKnownPacket(Vectors vector) {
    assertThat(decode(vector.frame())).isEqualTo(DecodeStatus.OK);

    Packets.assertSameFields(decoded, vector.packet());
  }

  @ParameterizedTest
  @EnumSource
  void aPacketReadsAsOneLine(Vectors vector) {
    assertThat(vector.packet()).hasToString(vector.text());
  }

  @Test
  void theFrameIsBuiltAroundThePayloadInItsPlace() {
    Packet packet = Vectors.SEND_ONLY_WITH_INVALIDATE.packet();
    byte[] buffer = new byte[200 + 5 + PacketCodec.TAILROOM];
    System.arraycopy(Packets.payload(packet), 0, buffer, 200, 5);

    int start = codec.encode(packet, buffer, 200);

    assertThat(start).isEqualTo(200 - (14 + 20 + 8 + 12 + 4));
    int end = start + PacketCodec.frameLength(packet);
    assertThat(Arrays.copyOfRange(buffer, start, end))
        .isEqualTo(Vectors.SEND_ONLY_WITH_INVALIDATE.frame());
    assertThat(Arrays.copyOfRange(buffer, 0, start)).containsOnly(0);
    assertThat(Arrays.copyOfRange(buffer, end, buffer.length)).containsOnly(0);
  }

  @Test
  void theLongestHeadersFitIntoTheHeadroom() {
    for (Opcode opcode : Opcode.values()) {
      Packet packet = new Packet().opcode(opcode);
      packet.network().ipv6(true);

      int start = codec.encode(packet, new byte[PacketCodec.HEADROOM + 8], PacketCodec.HEADROOM);

      assertThat(start).as("%s", opcode).isBetween(22, 54);
    }
  }

  @Test
  void encodingAndDecodingAllocateNothing() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    byte[] buffer = new byte[PacketCodec.HEADROOM + 1_024 + PacketCodec.TAILROOM];
    Packet packet = new Packet().opcode(Opcode.RC_WRITE_ONLY).payload(buffer, 128, 1_022);
    int wrong = encodeAndDecode(packet, buffer, 20_000);

    long before = threads.getCurrentThreadAllocatedBytes();
    wrong += encodeAndDecode(packet, buffer, 1_000);
    long after = threads.getCurrentThreadAllocatedBytes();

    assertThat(after - before).isZero();
    assertThat(wrong).isZero();
  }

  @Test
  void thePayloadIsARangeOfTheFrame() {
    byte[] buffer = new byte[300];
    byte[] frame = Vectors.READ_RESPONSE_ONLY.frame();
    System.arraycopy(frame, 0, buffer, 100, frame.length);

    assertThat(codec.decode(buffer, 100, frame.length, decoded)).isEqualTo(DecodeStatus.OK);

    assertThat(decoded.payloadBuffer()).isSameAs(buffer);
    assertThat(decoded.payloadOffset()).isEqualTo(100 + IPV4_BTH + 12 + 4);
    assertThat(decoded.payloadLength()).isEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "1, 3", "2, 2", "3, 1", "4, 0", "5, 3", "6, 2", "7, 1", "8, 0", "9, 3"})
  void everyLengthIsPaddedToAMultipleOfFour(int length, int pad) {
    byte[] payload = new byte[length];
    Arrays.fill(payload, (byte) 0xA5);
    for (Opcode opcode :
        new Opcode[] {Opcode.RC_SEND_ONLY, Opcode.RC_WRITE_ONLY, Opcode.RC_READ_RESPONSE_ONLY}) {
      Packet packet = new Packet().opcode(opcode).payload(payload, 0, length);

      byte[] frame = codec.toFrame(packet);

      assertThat(packet.padCount()).isEqualTo(pad);
      assertThat(frame).hasSize(58 + opcode.extendedHeaderBytes() + length + pad);
      assertThat(frame[IPV4_BTH + 1] >> 4 & 3).isEqualTo(pad);
      assertThat(decode(frame)).isEqualTo(DecodeStatus.OK);
      assertThat(Packets.payload(decoded)).isEqualTo(payload);
    }
  }

  @ParameterizedTest
  @EnumSource
  void onlyWhatTheIcrcLeavesOutMayChange(Vectors vector) {
    Set<Integer> bytesThatMayChange = new HashSet<>();
    byte[] frame = vector.frame();
    for (int bit = 0; bit < frame.length * 8; bit++) {
      frame[bit / 8] ^= (byte) (0x80 >> bit % 8);
      if (decode(frame) == DecodeStatus.OK) {
        bytesThatMayChange.add(bit / 8);
      }
      frame[bit / 8] ^= (byte) (0x80 >> bit % 8);
    }

    // The MAC addresses and byte 4 of the BTH; over IPv6 also class, flow label and hop limit.
    // In IPv4 the header checksum, in both the checksum of UDP protects what the ICRC leaves out.
    Set<Integer> expected = new HashSet<>();
    for (int i = 0; i < 12; i++) {
      expected.add(i);
    }
    if (vector.packet().network().ipv6()) {
      expected.addAll(Set.of(14, 15, 16, 17, 21, 54 + 8 + 4));
    } else {
      expected.add(IPV4_BTH + 4);
    }
    assertThat(bytesThatMayChange).isEqualTo(expected);
  }

  @Test
  void aRouterMayChangeTosAndTtlIfItMendsTheHeaderChecksum() {
    byte[] frame = Vectors.WRITE_ONLY_WITH_IMMEDIATE.frame();
    Packet routed = Packets.copy(Vectors.WRITE_ONLY_WITH_IMMEDIATE.packet());
    routed.network().trafficClass(3).hopLimit(63);
    byte[] expected = codec.toFrame(routed);

    // The checksum of IPv4 goes down by 0x0003 for the TOS and up by 0x0100 for the TTL.
    frame[15] = 3;
    frame[22] = 63;
    frame[24] = (byte) 0xB7;
    frame[25] = (byte) 0xA2;

    assertThat(decode(frame)).isEqualTo(DecodeStatus.OK);
    assertThat(decoded.network().trafficClass()).isEqualTo(3);
    assertThat(decoded.network().hopLimit()).isEqualTo(63);
    assertThat(frame).isEqualTo(expected);
  }

  @ParameterizedTest
  @EnumSource
  void aFrameThatEndsTooEarlyIsTruncated(Vectors vector) {
    byte[] frame = vector.frame();
    for (int length = 0; length < frame.length; length++) {
      assertThat(codec.decode(frame, 0, length, decoded))
          .as("%d of %d bytes", length, frame.length)
          .isEqualTo(DecodeStatus.TRUNCATED);
    }
  }

  @Test
  void ethernetPadBehindThePacketIsIgnored() {
    byte[] padded = Arrays.copyOf(Vectors.ACKNOWLEDGE.frame(), 90);
    Arrays.fill(padded, 62, 90, (byte) 0x77);

    assertThat(decode(padded)).isEqualTo(DecodeStatus.OK);
    Packets.assertSameFields(decoded, Vectors.ACKNOWLEDGE.packet());
  }

  @Test
  void aPacketWithAWrongIcrcIsStillShown() {
    byte[] frame = Vectors.WRITE_ONLY_WITH_IMMEDIATE.frame();
    frame[frame.length - 1] ^= 1;

    assertThat(decode(frame)).isEqualTo(DecodeStatus.BAD_ICRC);
    Packets.assertSameFields(decoded, Vectors.WRITE_ONLY_WITH_IMMEDIATE.packet());
  }

  @Test
  void aWrongIcrcIsReportedBeforeAnUnknownOpcode() {
    byte[] frame = Vectors.UC_SEND_ONLY.frame();
    frame[IPV4_BTH] = (byte) 0xFF;

    assertThat(decode(frame)).isEqualTo(DecodeStatus.BAD_ICRC);
    assertThat(decoded.hasOpcode()).isFalse();
    assertThat(decoded).hasToString("UNKNOWN(0xff) qp=0x000013 psn=0x000007");
    Packets.repairIcrc(frame);
    assertThat(decode(frame)).isEqualTo(DecodeStatus.UNKNOWN_OPCODE);
    assertThatThrownBy(decoded::opcode)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("0xff");
  }

  @ParameterizedTest
  @CsvSource({"0x2C", "0x3F", "0x44", "0x60", "0x66", "0x80", "0x82", "0xB5", "0xBC", "0xC0"})
  void anOpcodeOfAnUnknownClassIsReported(int opcode) {
    byte[] frame = Vectors.UC_SEND_ONLY.frame();
    frame[IPV4_BTH] = (byte) opcode;
    Packets.repairIcrc(frame);

    assertThat(decode(frame)).isEqualTo(DecodeStatus.UNKNOWN_OPCODE);
    assertThat(decoded.opcodeValue()).isEqualTo(opcode);
  }

  @ParameterizedTest
  @CsvSource({"0x15", "0x18", "0x19", "0x1A", "0x1B", "0x1E", "0x1F"})
  void aReservedOpcodeOfTheRcClassDecodesSoThatTheQueuePairCanRefuseIt(int opcode) {
    byte[] frame = Vectors.UC_SEND_ONLY.frame();
    frame[IPV4_BTH] = (byte) opcode;
    Packets.repairIcrc(frame);

    assertThat(decode(frame)).isEqualTo(DecodeStatus.OK);
    assertThat(decoded.opcode()).isEqualTo(Opcode.RC_RESERVED);
    assertThat(decoded.opcodeValue()).isEqualTo(opcode);
    assertThat(codec.toFrame(decoded)).isEqualTo(frame);
  }

  @Test
  void anotherTransportVersionIsReported() {
    byte[] frame = codec.toFrame(Packets.copy(Vectors.ACKNOWLEDGE.packet()).transportVersion(1));

    assertThat(decode(frame)).isEqualTo(DecodeStatus.WRONG_TRANSPORT_VERSION);
    assertThat(decoded.psn()).isEqualTo(0x100);
  }

  @Test
  void aPadThatDoesNotRoundThePayloadUpIsReported() {
    byte[] frame = Vectors.READ_REQUEST.frame();
    frame[IPV4_BTH + 1] = 0x10;
    Packets.repairIcrc(frame);
    assertThat(decode(frame)).as("pad without payload").isEqualTo(DecodeStatus.BAD_PAD);

    frame = codec.toFrame(new Packet().opcode(Opcode.RC_SEND_ONLY));
    frame[IPV4_BTH + 1] = 0x70;
    Packets.repairIcrc(frame);
    assertThat(decode(frame)).as("pad larger than the rest").isEqualTo(DecodeStatus.BAD_PAD);

    frame = withIpLength(Arrays.copyOf(Vectors.UC_SEND_ONLY.frame(), 63));
    Packets.repairIcrc(frame);
    assertThat(decode(frame)).as("five bytes and no pad").isEqualTo(DecodeStatus.BAD_PAD);
  }

  @Test
  void aPadThatIsNotZeroIsKept() {
    byte[] frame = Vectors.SEND_ONLY_WITH_INVALIDATE.frame();
    frame[frame.length - 7] = 0x11;
    frame[frame.length - 5] = (byte) 0xFE;
    Packets.repairIcrc(frame);

    assertThat(decode(frame)).isEqualTo(DecodeStatus.OK);
    assertThat(decoded.padBytes()).isEqualTo(0x1100FE);
    assertThat(codec.toFrame(decoded)).isEqualTo(frame);
  }

  @Test
  void aLengthThatDoesNotFitTheOpcodeIsReported() {
    byte[] ack = Vectors.ACKNOWLEDGE.frame();
    byte[] longAck = withIpLength(Arrays.copyOf(ack, ack.length + 4));
    Packets.repairIcrc(longAck);
    assertThat(decode(longAck)).as("ACK with payload").isEqualTo(DecodeStatus.BAD_LENGTH);

    byte[] shortAck = withIpLength(Arrays.copyOf(ack, ack.length - 4));
    Packets.repairIcrc(shortAck);
    assertThat(decode(shortAck)).as("ACK without AETH").isEqualTo(DecodeStatus.BAD_LENGTH);

    byte[] cnp = Vectors.CNP.frame();
    byte[] longCnp = withIpLength(Arrays.copyOf(cnp, cnp.length + 4));
    Packets.repairIcrc(longCnp);
    assertThat(decode(longCnp)).as("CNP with 20 bytes").isEqualTo(DecodeStatus.BAD_LENGTH);
  }

  @Test
  void whatOnlyAQueuePairCanJudgeIsNoFault() {
    byte[] payload = new byte[8];
    Packet shortFirst = new Packet().opcode(Opcode.RC_SEND_FIRST).payload(payload, 0, 3);
    Packet emptyLast = new Packet().opcode(Opcode.RC_WRITE_LAST);
    Packet shortWrite = new Packet().opcode(Opcode.RC_WRITE_ONLY).payload(payload, 0, 8);
    shortWrite.reth().dmaLength(100);
    Packet shortAtomicWrite = new Packet().opcode(Opcode.RC_ATOMIC_WRITE).payload(payload, 0, 4);

    for (Packet packet : new Packet[] {shortFirst, emptyLast, shortWrite, shortAtomicWrite}) {
      assertThat(decode(codec.toFrame(packet))).as("%s", packet).isEqualTo(DecodeStatus.OK);
    }
  }

  @Test
  void aDamagedIpHeaderIsReported() {
    assertThat(decode(changed(14, 0x55))).as("version 5").isEqualTo(DecodeStatus.BAD_IP_HEADER);
    assertThat(decode(changed(14, 0x46))).as("options").isEqualTo(DecodeStatus.BAD_IP_HEADER);
    assertThat(decode(changed(24, 0))).as("checksum").isEqualTo(DecodeStatus.BAD_IP_HEADER);

    byte[] reserved = changed(20, 0xC0);
    mendIpChecksum(reserved);
    assertThat(decode(reserved)).as("reserved flag").isEqualTo(DecodeStatus.BAD_IP_HEADER);

    byte[] noUdp = changed(17, 27);
    mendIpChecksum(noUdp);
    assertThat(decode(noUdp)).as("no room for UDP").isEqualTo(DecodeStatus.BAD_IP_HEADER);

    byte[] ipv6 = Vectors.IPV6_SEND_ONLY.frame();
    ipv6[14] = 0x50;
    assertThat(decode(ipv6)).as("version 5 over IPv6").isEqualTo(DecodeStatus.BAD_IP_HEADER);
    assertThat(decoded.psn()).as("fields after a fault of framing").isZero();
  }

  @Test
  void aFragmentIsReported() {
    byte[] moreFollow = changed(20, 0x20);
    mendIpChecksum(moreFollow);
    byte[] second = changed(21, 1);
    mendIpChecksum(second);

    assertThat(decode(moreFollow)).isEqualTo(DecodeStatus.FRAGMENT);
    assertThat(decode(second)).isEqualTo(DecodeStatus.FRAGMENT);
  }

  @Test
  void aUdpLengthThatDiffersFromThatOfIpIsReported() {
    assertThat(decode(changed(IPV4_UDP + 5, 0x1B))).isEqualTo(DecodeStatus.BAD_UDP_LENGTH);

    byte[] noIcrc = withIpLength(Arrays.copyOf(Vectors.ACKNOWLEDGE.frame(), 57));
    assertThat(decode(noIcrc)).isEqualTo(DecodeStatus.BAD_UDP_LENGTH);
  }

  @Test
  void aUdpChecksumThatIsNotZeroMustBeRight() {
    byte[] ipv4 = Vectors.SEND_ONLY_WITH_INVALIDATE.frame();
    byte[] ipv6 = Vectors.IPV6_SEND_ONLY.frame();
    int ipv6Udp = 54;

    BigEndian.put16(ipv4, IPV4_UDP + 6, 0xAD58);
    BigEndian.put16(ipv6, ipv6Udp + 6, 0x3E4F);
    assertThat(decode(ipv4)).isEqualTo(DecodeStatus.OK);
    assertThat(decoded.network().udpChecksum()).isEqualTo(0xAD58);
    assertThat(codec.toFrame(decoded)).isEqualTo(ipv4);
    assertThat(decode(ipv6)).isEqualTo(DecodeStatus.OK);

    ipv4[IPV4_UDP + 7] ^= 1;
    ipv6[ipv6Udp + 6] ^= 1;
    assertThat(decode(ipv4)).isEqualTo(DecodeStatus.BAD_UDP_CHECKSUM);
    assertThat(decode(ipv6)).isEqualTo(DecodeStatus.BAD_UDP_CHECKSUM);
  }

  @Test
  void whatIsNotRoceIsTold() {
    assertThat(decode(changed(12, 0x81))).as("VLAN tag").isEqualTo(DecodeStatus.NOT_ROCE);
    assertThat(decode(changed(23, 6))).as("TCP").isEqualTo(DecodeStatus.NOT_ROCE);
    assertThat(decode(changed(IPV4_UDP + 3, 0xB8))).as("port").isEqualTo(DecodeStatus.NOT_ROCE);
    byte[] ipv6 = Vectors.IPV6_SEND_ONLY.frame();
    ipv6[20] = 0;
    assertThat(decode(ipv6)).as("hop-by-hop options").isEqualTo(DecodeStatus.NOT_ROCE);
  }

  @Test
  void everyFaultHasASentence() {
    for (DecodeStatus status : DecodeStatus.values()) {
      assertThat(status.text()).as("%s", status).matches("(The|UDP) .*[^.]\\.");
    }
  }

  @Test
  void reservedBitsAndRareHeadersSurvive() {
    Packet flush =
        new Packet()
            .opcode(Opcode.RC_FLUSH)
            .fecn(true)
            .reserved6(0x2A)
            .reserved7(0x55)
            .solicited(true);
    flush.feth().reserved(0x2AA_AAAA).selectivity(1).placement(3);
    flush.reth().remoteAddress(-1).rkey(-2).dmaLength(-3);
    Packet datagram =
        new Packet()
            .opcode(Opcode.UD_SEND_ONLY_WITH_IMMEDIATE)
            .immediate(0x01020304)
            .partitionKey(0x7FFF);
    datagram.network().dontFragment(false);
    datagram.deth().reserved(0x99).sourceQueuePair(0xABCDEF).queueKey(-1);

    for (Packet packet : new Packet[] {flush, datagram}) {
      packet.network().sourceLow(0xFFFF_0000_0000L).destinationLow(0xFFFF_0000_0000L);
      assertThat(decode(codec.toFrame(packet))).isEqualTo(DecodeStatus.OK);
      Packets.assertSameFields(decoded, packet);
    }
    assertThat(flush)
        .hasToString(
            "FLUSH qp=0x000000 psn=0x000000 solicited sel=1 plt=3"
                + " va=0xffffffffffffffff rkey=0xfffffffe len=4294967293");
    assertThat(datagram)
        .hasToString(
            "UD_SEND_ONLY_WITH_IMMEDIATE qp=0x000000 psn=0x000000"
                + " srcqp=0xabcdef qkey=0xffffffff imm=0x01020304 len=0");
  }

  @Test
  void aPacketThatCannotBeEncodedIsRefused() {
    Packet ack = new Packet().opcode(Opcode.RC_ACKNOWLEDGE).payload(new byte[4], 0, 4);
    assertThatThrownBy(() -> codec.toFrame(ack))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("RC_ACKNOWLEDGE takes no payload, but the packet has 4 bytes of it");

    Packet huge = new Packet().opcode(Opcode.RC_SEND_ONLY).payload(new byte[65_492], 0, 65_492);
    assertThatThrownBy(() -> codec.toFrame(huge))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("65492 bytes");

    Packet send = new Packet().opcode(Opcode.RC_SEND_ONLY).payload(new byte[4], 0, 4);
    assertThatThrownBy(() -> codec.encode(send, new byte[200], 127))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("offset 127 needs 128 bytes in front of it");
    assertThatThrownBy(() -> codec.encode(send, new byte[139], 128))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("8 behind it, but the buffer has 139 bytes");

    assertThatThrownBy(() -> codec.toFrame(new Packet())).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void theLongestPacketThatIpCanCarrySurvives() {
    Packet packet = new Packet().opcode(Opcode.RC_SEND_ONLY).payload(new byte[65_488], 0, 65_488);
    packet.network().sourceLow(0xFFFF_0000_0000L).destinationLow(0xFFFF_0000_0000L);

    assertThat(decode(codec.toFrame(packet))).isEqualTo(DecodeStatus.OK);
    assertThat(decoded.payloadLength()).isEqualTo(65_488);
  }

  /** Sends a packet through the codec many times and returns how often it did not come back. */
  private int encodeAndDecode(Packet packet, byte[] buffer, int times) {
    int wrong = 0;
    for (int i = 0; i < times; i++) {
      int start = codec.encode(packet.psn(i), buffer, PacketCodec.HEADROOM);
      int length = PacketCodec.frameLength(packet);
      if (codec.decode(buffer, start, length, decoded) != DecodeStatus.OK || decoded.psn() != i) {
        wrong++;
      }
    }
    return wrong;
  }

  private DecodeStatus decode(byte[] frame) {
    return codec.decode(frame, 0, frame.length, decoded);
  }

  /** The frame of an ACK with one byte changed. */
  private static byte[] changed(int offset, int value) {
    byte[] frame = Vectors.ACKNOWLEDGE.frame();
    frame[offset] = (byte) value;
    return frame;
  }

  /** Makes IP and UDP agree with the length of a frame over IPv4. */
  private static byte[] withIpLength(byte[] frame) {
    BigEndian.put16(frame, 16, frame.length - 14);
    BigEndian.put16(frame, IPV4_UDP + 4, frame.length - IPV4_UDP);
    mendIpChecksum(frame);
    return frame;
  }

  private static void mendIpChecksum(byte[] frame) {
    BigEndian.put16(frame, 24, 0);
    int checksum =
        InternetChecksum.ofIpv4Header(
            BigEndian.get64(frame, 14), BigEndian.get64(frame, 22), BigEndian.get32(frame, 30));
    BigEndian.put16(frame, 24, checksum);
  }
}
