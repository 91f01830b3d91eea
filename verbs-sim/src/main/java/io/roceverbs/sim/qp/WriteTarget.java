package io.roceverbs.sim.qp;

import io.roceverbs.sim.memory.AccessScope;
import io.roceverbs.sim.memory.KeyFault;
import io.roceverbs.sim.memory.KeyTable;
import io.roceverbs.sim.memory.MemoryMapping;
import io.roceverbs.sim.profile.Quirk;
import io.roceverbs.sim.profile.WireSwitch;
import io.roceverbs.sim.wire.Packet;
import io.roceverbs.sim.wire.Reth;
import io.roceverbs.verbs.AccessFlag;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The memory that a WRITE of the peer goes to, from its first packet to its last. */
final class WriteTarget {
  private final KeyTable keys;
  private final boolean looksOnce;
  private final @Nullable HeldPlacements held;

  private AccessScope scope;
  private int rkey;
  private long start;
  private long totalBytes;
  private long placedBytes;

  /** The memory that the first packet found, on a device that does not look at the key again. */
  private @Nullable MemoryMapping found;

  private long foundStart;

  WriteTarget(QueuePairEngine engine, KeyTable keys, EngineContext context) {
    this.keys = keys;
    this.scope = engine.scope();
    this.looksOnce = context.profile().is(WireSwitch.WriteKeyRecheck.FIRST_ONLY);
    this.held =
        context.profile().is(Quirk.Placement.SHUFFLED)
            ? new HeldPlacements(this::placeAt, context.seed() ^ engine.number())
            : null;
  }

  /**
   * Takes key, address and length from the first packet.
   *
   * @param asker as whom the key is used
   */
  void begin(Packet packet, AccessScope asker) {
    scope = asker;
    Reth reth = packet.reth();
    rkey = reth.rkey();
    start = reth.remoteAddress();
    totalBytes = Integer.toUnsignedLong(reth.dmaLength());
    placedBytes = 0;
    found = null;
    if (held != null) {
      held.clear();
    }
  }

  /** Length of the whole message in bytes. */
  long totalBytes() {
    return totalBytes;
  }

  long remainingBytes() {
    return totalBytes - placedBytes;
  }

  /** Whether a packet has as many bytes as its place in the message lets it have. */
  boolean fits(Packet packet) {
    return packet.opcode().endsMessage()
        ? packet.payloadLength() == remainingBytes()
        : packet.payloadLength() < remainingBytes();
  }

  /** Checks the key for the rest of the message. */
  KeyFault check() {
    // Rule KEY-ZERO-LENGTH: a WRITE of nothing does not look at its key. Rule KEY-EACH-PACKET: any
    // other looks each time, unless the device looks at the first packet's only.
    if (totalBytes == 0 || found != null) {
      return KeyFault.NONE;
    }
    return keys.checkRemote(
        rkey, scope, AccessFlag.REMOTE_WRITE, start + placedBytes, remainingBytes());
  }

  /** Places the bytes of a packet that was checked. */
  void place(Packet packet) {
    int length = packet.payloadLength();
    if (length == 0) {
      return;
    }
    if (looksOnce && found == null) {
      found = keys.mapping(rkey);
      foundStart = keys.toMapping(rkey, start);
    }
    byte[] source = packet.payloadBuffer();
    KeyFault fault =
        held == null
            ? placeAt(placedBytes, source, packet.payloadOffset(), length)
            : held.place(
                placedBytes, source, packet.payloadOffset(), length, packet.opcode().endsMessage());
    assert fault == KeyFault.NONE : "the key was checked for the rest of the message";
    placedBytes += length;
  }

  private KeyFault placeAt(long messageOffset, byte[] source, int sourceOffset, int length) {
    MemoryMapping mapping = found;
    if (mapping != null) {
      mapping.write(foundStart + messageOffset, source, sourceOffset, length);
      return KeyFault.NONE;
    }
    return keys.writeRemote(rkey, scope, start + messageOffset, length, source, sourceOffset);
  }

  /** Says in words which access failed. */
  String describe(KeyFault fault) {
    return String.format(
        Locale.ROOT,
        "the peer's WRITE with rkey 0x%08x, address 0x%x, length %d: %s",
        rkey,
        start + placedBytes,
        remainingBytes(),
        fault.text());
  }
}
