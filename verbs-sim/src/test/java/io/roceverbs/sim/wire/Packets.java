package io.roceverbs.sim.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.function.Consumer;

/** What several tests do with packets. */
final class Packets {
  private Packets() {}

  /** A new packet with the same fields and the same payload range. */
  static Packet copy(Packet packet) {
    Packet copy =
        new Packet()
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
            .originalData(packet.originalData())
            .immediate(packet.immediate())
            .invalidateRkey(packet.invalidateRkey())
            .payload(packet.payloadBuffer(), packet.payloadOffset(), packet.payloadLength())
            .padBytes(packet.padBytes());
    copy(packet.network(), copy.network());
    copyExtendedHeaders(packet, copy);
    return copy;
  }

  private static void copy(NetworkHeaders from, NetworkHeaders to) {
    to.destinationMac(from.destinationMac())
        .sourceMac(from.sourceMac())
        .ipv6(from.ipv6())
        .sourceHigh(from.sourceHigh())
        .sourceLow(from.sourceLow())
        .destinationHigh(from.destinationHigh())
        .destinationLow(from.destinationLow())
        .trafficClass(from.trafficClass())
        .hopLimit(from.hopLimit())
        .identification(from.identification())
        .dontFragment(from.dontFragment())
        .flowLabel(from.flowLabel())
        .sourcePort(from.sourcePort())
        .udpChecksum(from.udpChecksum());
  }

  private static void copyExtendedHeaders(Packet from, Packet to) {
    to.xrceth()
        .sharedReceiveQueue(from.xrceth().sharedReceiveQueue())
        .reserved(from.xrceth().reserved());
    to.deth()
        .queueKey(from.deth().queueKey())
        .sourceQueuePair(from.deth().sourceQueuePair())
        .reserved(from.deth().reserved());
    to.feth()
        .selectivity(from.feth().selectivity())
        .placement(from.feth().placement())
        .reserved(from.feth().reserved());
    to.reth()
        .remoteAddress(from.reth().remoteAddress())
        .rkey(from.reth().rkey())
        .dmaLength(from.reth().dmaLength());
    to.atomicEth()
        .remoteAddress(from.atomicEth().remoteAddress())
        .rkey(from.atomicEth().rkey())
        .swapOrAdd(from.atomicEth().swapOrAdd())
        .compare(from.atomicEth().compare());
    to.aeth()
        .syndrome(from.aeth().syndrome())
        .messageSequenceNumber(from.aeth().messageSequenceNumber());
  }

  /** The packet, with further headers filled in. */
  static Packet with(Packet packet, Consumer<Packet> headers) {
    headers.accept(packet);
    return packet;
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
        .ignoringFields("hasPayload", "payloadBuffer", "payloadOffset")
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
