package io.roceverbs.sim.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;

/** What several tests do with packets. */
final class Packets {
  private Packets() {}

  /** A new packet with the same fields and the same payload range. */
  static Packet copy(Packet packet) {
    return new Packet()
        .destinationMac(packet.destinationMac())
        .sourceMac(packet.sourceMac())
        .ipv6(packet.ipv6())
        .sourceHigh(packet.sourceHigh())
        .sourceLow(packet.sourceLow())
        .destinationHigh(packet.destinationHigh())
        .destinationLow(packet.destinationLow())
        .trafficClass(packet.trafficClass())
        .hopLimit(packet.hopLimit())
        .identification(packet.identification())
        .dontFragment(packet.dontFragment())
        .flowLabel(packet.flowLabel())
        .sourcePort(packet.sourcePort())
        .udpChecksum(packet.udpChecksum())
        .opcodeValue(packet.opcodeValue())
        .solicited(packet.solicited())
        .migrated(packet.migrated())
        .transportVersion(packet.transportVersion())
        .partitionKey(packet.partitionKey())
        .fecn(packet.fecn())
        .becn(packet.becn())
        .reserved6(packet.reserved6())
        .destinationQueuePair(packet.destinationQueuePair())
        .ackRequest(packet.ackRequest())
        .reserved7(packet.reserved7())
        .psn(packet.psn())
        .remoteAddress(packet.remoteAddress())
        .rkey(packet.rkey())
        .dmaLength(packet.dmaLength())
        .swapOrAdd(packet.swapOrAdd())
        .compare(packet.compare())
        .syndrome(packet.syndrome())
        .messageSequenceNumber(packet.messageSequenceNumber())
        .originalData(packet.originalData())
        .immediate(packet.immediate())
        .invalidateRkey(packet.invalidateRkey())
        .queueKey(packet.queueKey())
        .sourceQueuePair(packet.sourceQueuePair())
        .datagramReserved(packet.datagramReserved())
        .flushSelectivity(packet.flushSelectivity())
        .flushPlacement(packet.flushPlacement())
        .flushReserved(packet.flushReserved())
        .payload(packet.payloadBuffer(), packet.payloadOffset(), packet.payloadLength())
        .padBytes(packet.padBytes());
  }

  /** The payload in an array of its own. */
  static byte[] payload(Packet packet) {
    return Arrays.copyOfRange(
        packet.payloadBuffer(),
        packet.payloadOffset(),
        packet.payloadOffset() + packet.payloadLength());
  }

  /** Asserts that all fields are equal, and the bytes of the payload. */
  static void assertSameFields(Packet actual, Packet expected) {
    assertThat(actual)
        .usingRecursiveComparison()
        .ignoringFields("payloadBuffer", "payloadOffset")
        .isEqualTo(expected);
    assertThat(payload(actual)).isEqualTo(payload(expected));
  }

  /** Where the IP header's length says that the ICRC ends. */
  static int endOfIpPacket(byte[] frame) {
    return PacketView.isIpv6(frame, 0)
        ? 54 + BigEndian.get16(frame, 18)
        : 14 + BigEndian.get16(frame, 16);
  }

  /** Makes the ICRC right again, after a change to a frame without Ethernet pad. */
  static void repairIcrc(byte[] frame) {
    int icrcOffset = frame.length - Icrc.BYTES;
    Icrc.write(frame, icrcOffset, new Icrc().compute(frame, 14, icrcOffset - 14));
  }
}
