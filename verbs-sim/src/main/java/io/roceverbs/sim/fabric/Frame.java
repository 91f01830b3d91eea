package io.roceverbs.sim.fabric;

import io.netty.util.IllegalReferenceCountException;
import io.netty.util.ReferenceCounted;
import io.roceverbs.sim.wire.ExplicitCongestion;
import io.roceverbs.sim.wire.Packet;
import io.roceverbs.sim.wire.PacketCodec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One Ethernet frame on its way, with the memory that holds it. Reused: when the last reference is
 * released it goes back to its {@link FramePool}.
 */
final class Frame implements ReferenceCounted {
  /** Where the payload starts, so that all headers fit in front of it. */
  static final int PAYLOAD_OFFSET = PacketCodec.HEADROOM;

  /** The largest path MTU that there is. */
  static final int PAYLOAD_BYTES_MAX = 4_096;

  private static final int CAPACITY = PAYLOAD_OFFSET + PAYLOAD_BYTES_MAX + PacketCodec.TAILROOM;
  private static final int ETHERNET_BYTES = 14;
  private static final int IPV4_AND_UDP_BYTES = 28;
  private static final int IPV6_AND_UDP_BYTES = 48;
  private static final int ICRC_BYTES = 4;

  private final FramePool pool;
  private final byte[] buffer = new byte[CAPACITY];
  private final Packet packet = new Packet();
  private final Fate fate = new Fate();

  /** Guarded by the lock of the fabric, as all of a frame: an atomic one would cost for nothing. */
  private int references;

  private @Nullable Port source;
  private @Nullable Port destination;
  private List<Port> group = List.of();
  private long number;
  private int start;
  private int length;
  private boolean isRetransmission;
  private boolean isBeforeSwitch;

  Frame(FramePool pool) {
    this.pool = pool;
  }

  /** Makes a frame out of the pool ready for a packet, whose payload is to be put into it. */
  void prepare() {
    references = 1;
    packet.clear().payload(buffer, PAYLOAD_OFFSET, 0);
  }

  /** Makes this frame, fresh out of the pool, a copy of another. */
  void copyOf(Frame original, long copyNumber) {
    references = 1;
    System.arraycopy(original.buffer, original.start, buffer, original.start, original.length);
    bounds(original.start, original.length);
    packet.clear().network().ipv6(original.packet.network().ipv6());
    sent(original.source(), original.destination, copyNumber, true);
  }

  /** Notes who sends it to whom. */
  void sent(Port from, @Nullable Port to, long frameNumber, boolean retransmission) {
    // Frames are old objects: a reference is written only if it is another one, for the barrier.
    if (source != from) {
      source = from;
    }
    if (destination != to) {
      destination = to;
    }
    if (!group.isEmpty()) {
      group = List.of();
    }
    number = frameNumber;
    isRetransmission = retransmission;
    isBeforeSwitch = false;
    fate.pass();
  }

  /** Notes that it goes to all members of a multicast group. */
  void toGroup(List<Port> members) {
    group = members;
  }

  /** The members of the multicast group that it goes to; empty for any other frame. */
  List<Port> group() {
    return group;
  }

  /** Makes this the copy of a multicast frame for one member, to which nothing has happened yet. */
  void copyFor(Frame original, Port member, long copyNumber) {
    copyOf(original, copyNumber);
    sent(original.source(), member, copyNumber, false);
  }

  byte[] buffer() {
    return buffer;
  }

  /** The parsed form: as it was sent until it arrives, as it was decoded from then on. */
  Packet packet() {
    return packet;
  }

  /** What the impairments decided. */
  Fate fate() {
    return fate;
  }

  /** Why it can't travel, whatever the impairments would do to it; null if it can. */
  @Nullable DropReason refusal() {
    if (!source().isLinkUp()) {
      return DropReason.LINK_DOWN;
    }
    Port to = destination;
    if (to == null && !group.isEmpty()) {
      return source().link().carries(this) ? null : DropReason.TOO_LONG;
    }
    if (to == null) {
      return DropReason.NO_ROUTE;
    }
    boolean fits = source().link().carries(this) && to.link().carries(this);
    return fits ? null : DropReason.TOO_LONG;
  }

  Port source() {
    Port port = source;
    if (port == null) {
      throw new IllegalStateException("the frame was not sent yet");
    }
    return port;
  }

  /** The port with the destination address, or null if there is none. */
  @Nullable Port destination() {
    return destination;
  }

  /** The port with the destination address of a frame that was found to have one. */
  Port routedDestination() {
    Port port = destination;
    if (port == null) {
      throw new IllegalStateException("frame " + number + " has no destination in this fabric");
    }
    return port;
  }

  long number() {
    return number;
  }

  int start() {
    return start;
  }

  int length() {
    return length;
  }

  void bounds(int startOffset, int byteLength) {
    start = startOffset;
    length = byteLength;
  }

  boolean isRetransmission() {
    return isRetransmission;
  }

  /** Whether the frame still has to pass the switch, rather than arrive at its port. */
  boolean isBeforeSwitch() {
    return isBeforeSwitch;
  }

  void isBeforeSwitch(boolean value) {
    isBeforeSwitch = value;
  }

  /** The length that counts for the MTU of a link. */
  int ipLength() {
    return length - ETHERNET_BYTES;
  }

  /** The last four bytes, as they stand on the wire. */
  int icrc() {
    int at = start + length - ICRC_BYTES;
    return (buffer[at] & 0xFF) << 24
        | (buffer[at + 1] & 0xFF) << 16
        | (buffer[at + 2] & 0xFF) << 8
        | (buffer[at + 3] & 0xFF);
  }

  /** Whether it says that a switch may mark it (rule ECN-CAPABLE). */
  boolean isMarkable() {
    return ExplicitCongestion.isCapable(buffer, start);
  }

  /** Marks it as having met congestion; says whether it was not marked before. */
  boolean markCongestion() {
    return ExplicitCongestion.mark(buffer, start);
  }

  /** Flips a bit, counted from the first one of the BTH; at most the last one before the ICRC. */
  void flipTransportBit(int bit) {
    int headers =
        ETHERNET_BYTES + (packet.network().ipv6() ? IPV6_AND_UDP_BYTES : IPV4_AND_UDP_BYTES);
    int lastBit = (length - headers - ICRC_BYTES) * Byte.SIZE - 1;
    int flipped = bit < 0 || bit > lastBit ? lastBit : bit;
    buffer[start + headers + flipped / Byte.SIZE] ^= (byte) (0x80 >> flipped % Byte.SIZE);
  }

  @Override
  public int refCnt() {
    return references;
  }

  @Override
  public Frame retain() {
    return retain(1);
  }

  @Override
  public Frame retain(int more) {
    requireAlive(-more);
    references += more;
    return this;
  }

  @Override
  public boolean release() {
    return release(1);
  }

  @Override
  public boolean release(int fewer) {
    requireAlive(fewer);
    references -= fewer;
    if (references > 0) {
      return false;
    }
    pool.takeBack(this);
    return true;
  }

  /** Refuses to touch a frame that is in the pool, and to release what nobody holds. */
  private void requireAlive(int fewer) {
    if (references == 0 || references < fewer) {
      throw new IllegalReferenceCountException(references, -fewer);
    }
  }

  @Override
  public Frame touch() {
    return this;
  }

  @Override
  public Frame touch(Object hint) {
    return this;
  }
}
