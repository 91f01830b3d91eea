package io.roceverbs.sim.qp;

import io.roceverbs.sim.wire.Packet;
import io.roceverbs.sim.wire.PacketSequenceNumbers;
import io.roceverbs.verbs.AccessFlag;
import io.roceverbs.verbs.AccessFlags;
import io.roceverbs.verbs.AddressVector;
import io.roceverbs.verbs.Gid;
import io.roceverbs.verbs.PathMigrationState;
import io.roceverbs.verbs.PathMtu;
import io.roceverbs.verbs.QueuePairAttribute;
import io.roceverbs.verbs.QueuePairAttributes;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of a queue pair as {@code modify} has set them, in the form in which the engine
 * uses them.
 *
 * <p>Only {@link #apply} changes them, after everything was checked: a refused modify leaves no
 * trace.
 */
final class QueuePairSettings {
  /**
   * The flow label's upper bits folded in make the UDP source port, as the Linux core computes it.
   */
  private static final int DYNAMIC_PORT_BASE = 0xC000;

  private static final int DYNAMIC_PORT_MASK = 0x3FFF;
  private static final int FLOW_LABEL_MASK = 0xF_FFFF;

  private final int queuePairNumber;
  private AccessFlags access = AccessFlags.NONE;
  private int partitionKeyIndex;
  private int port;
  private PathMtu pathMtu = PathMtu.MTU_256;
  private int destinationQueuePair;
  private int receivePsn;
  private int sendPsn;
  private int timeoutCode;
  private int retryCount;
  private int rnrRetry;
  private int minRnrTimer;
  private int maxReadAtomic;
  private int maxDestinationReadAtomic;
  private @Nullable AddressVector addressVector;
  private Gid source = new Gid(0, 0);
  private Gid destination = new Gid(0, 0);
  private int udpSourcePort;

  QueuePairSettings(int queuePairNumber) {
    this.queuePairNumber = queuePairNumber;
  }

  /**
   * Takes over the attributes that {@code attributes} has.
   *
   * @param sourceGid the GID that the address vector's source index names, or null if there is no
   *     vector
   */
  void apply(QueuePairAttributes attributes, @Nullable Gid sourceGid) {
    for (QueuePairAttribute attribute : attributes.mask()) {
      applyOne(attribute, attributes);
    }
    if (sourceGid != null) {
      source = sourceGid;
    }
    if (addressVector != null) {
      destination = addressVector.destination();
      udpSourcePort = udpSourcePort(addressVector.flowLabel());
    }
  }

  private void applyOne(QueuePairAttribute attribute, QueuePairAttributes from) {
    switch (attribute) {
      case ACCESS_FLAGS -> access = from.access();
      case PKEY_INDEX -> partitionKeyIndex = from.partitionKeyIndex();
      case PORT -> port = from.port();
      case AV -> addressVector = from.addressVector();
      case PATH_MTU -> pathMtu = from.pathMtu();
      case TIMEOUT -> timeoutCode = from.timeout();
      case RETRY_CNT -> retryCount = from.retryCount();
      case RNR_RETRY -> rnrRetry = from.rnrRetry();
      case RQ_PSN -> receivePsn = from.receivePsn() & PacketSequenceNumbers.MASK;
      case SQ_PSN -> sendPsn = from.sendPsn() & PacketSequenceNumbers.MASK;
      case MAX_QP_RD_ATOMIC -> maxReadAtomic = from.maxReadAtomic();
      case MAX_DEST_RD_ATOMIC -> maxDestinationReadAtomic = from.maxDestinationReadAtomic();
      case MIN_RNR_TIMER -> minRnrTimer = from.minRnrTimer();
      case DEST_QPN -> destinationQueuePair = from.destinationQueuePairNumber();
      case STATE, CUR_STATE, EN_SQD_ASYNC_NOTIFY -> {
        // These say how to move, not how to be.
      }
      case QKEY, ALT_PATH, PATH_MIG_STATE, CAP, RATE_LIMIT -> {
        // These have no effect on an RC queue pair over RoCE.
      }
    }
  }

  private int udpSourcePort(int givenFlowLabel) {
    int label = givenFlowLabel & FLOW_LABEL_MASK;
    if (label == 0) {
      long product = (long) queuePairNumber * destinationQueuePair;
      product ^= product >>> 20;
      product ^= product >>> 40;
      label = (int) product & FLOW_LABEL_MASK;
    }
    return DYNAMIC_PORT_BASE | ((label & DYNAMIC_PORT_MASK) ^ (label >>> 14));
  }

  /** Writes the addresses and the fields that all packets of this queue pair share. */
  void address(Packet packet, int partitionKey) {
    AddressVector vector = addressVector;
    if (vector == null) {
      throw new AssertionError("a queue pair that sends has been given an address vector");
    }
    packet
        .ipv6(!destination.isIpv4Mapped())
        .sourceHigh(source.high())
        .sourceLow(source.low())
        .destinationHigh(destination.high())
        .destinationLow(destination.low())
        .trafficClass(vector.trafficClass())
        .hopLimit(vector.hopLimit())
        .sourcePort(udpSourcePort)
        .partitionKey(partitionKey)
        .destinationQueuePair(destinationQueuePair);
  }

  /**
   * Whether a packet comes from the address of the peer: there is no source number in a BTH (rule
   * PEER-ADDRESS).
   */
  boolean isFromPeer(Packet packet) {
    return packet.sourceHigh() == destination.high() && packet.sourceLow() == destination.low();
  }

  /** Fills in all attributes that a query reports. */
  void report(QueuePairAttributes.Builder builder) {
    builder
        .access(access)
        .partitionKeyIndex(partitionKeyIndex)
        .port(port)
        .pathMtu(pathMtu)
        .timeout(timeoutCode)
        .retryCount(retryCount)
        .rnrRetry(rnrRetry)
        .receivePsn(receivePsn)
        .sendPsn(sendPsn)
        .maxReadAtomic(maxReadAtomic)
        .maxDestinationReadAtomic(maxDestinationReadAtomic)
        .minRnrTimer(minRnrTimer)
        .pathMigrationState(PathMigrationState.MIGRATED)
        .destinationQueuePairNumber(destinationQueuePair);
    if (addressVector != null) {
      builder.addressVector(addressVector);
    }
  }

  boolean allows(AccessFlag flag) {
    return access.contains(flag);
  }

  int pathMtuBytes() {
    return pathMtu.bytes();
  }

  int receivePsn() {
    return receivePsn;
  }

  int sendPsn() {
    return sendPsn;
  }

  int timeoutCode() {
    return timeoutCode;
  }

  int retryCount() {
    return retryCount;
  }

  int rnrRetry() {
    return rnrRetry;
  }

  int minRnrTimer() {
    return minRnrTimer;
  }

  int maxReadAtomic() {
    return maxReadAtomic;
  }

  int maxDestinationReadAtomic() {
    return maxDestinationReadAtomic;
  }
}
