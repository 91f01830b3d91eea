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
  private final int queuePairNumber;
  private final boolean roundsReadDepths;
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
  private int queueKey;
  private int maxReadAtomic;
  private int maxDestinationReadAtomic;
  private @Nullable AddressVector addressVector;
  private Gid source = new Gid(0, 0);
  private @Nullable Path path;

  QueuePairSettings(int queuePairNumber, boolean roundsReadDepths) {
    this.queuePairNumber = queuePairNumber;
    this.roundsReadDepths = roundsReadDepths;
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
      path = Path.between(addressVector, source, queuePairNumber, destinationQueuePair);
    }
  }

  private void applyOne(QueuePairAttribute attribute, QueuePairAttributes from) {
    switch (attribute) {
      case ACCESS_FLAGS -> access = from.access();
      case PKEY_INDEX -> partitionKeyIndex = from.partitionKeyIndex();
      case PORT -> port = from.port();
      case AV -> {
        addressVector = from.addressVector();
        port = addressVector.port();
      }
      case PATH_MTU -> pathMtu = from.pathMtu();
      case TIMEOUT -> timeoutCode = from.timeout();
      case RETRY_CNT -> retryCount = from.retryCount();
      case RNR_RETRY -> rnrRetry = from.rnrRetry();
      case RQ_PSN -> receivePsn = from.receivePsn() & PacketSequenceNumbers.MASK;
      case SQ_PSN -> sendPsn = from.sendPsn() & PacketSequenceNumbers.MASK;
      case MAX_QP_RD_ATOMIC -> maxReadAtomic = depth(from.maxReadAtomic());
      case MAX_DEST_RD_ATOMIC -> maxDestinationReadAtomic = depth(from.maxDestinationReadAtomic());
      case MIN_RNR_TIMER -> minRnrTimer = from.minRnrTimer();
      case DEST_QPN -> destinationQueuePair = from.destinationQueuePairNumber();
      case QKEY -> queueKey = from.queueKey();
      case STATE, CUR_STATE, EN_SQD_ASYNC_NOTIFY -> {
        // These say how to move, not how to be.
      }
      case ALT_PATH, PATH_MIG_STATE, CAP, RATE_LIMIT -> {
        // These have no effect over RoCE.
      }
    }
  }

  private int depth(int wanted) {
    return roundsReadDepths && wanted > 0 ? Integer.highestOneBit(2 * wanted - 1) : wanted;
  }

  /** Writes the addresses of the peer into a packet. */
  void address(Packet packet) {
    connection().address(packet);
    packet.destinationQueuePair(destinationQueuePair);
  }

  /** Whether a packet comes from the address of the peer. */
  boolean isFromPeer(Packet packet) {
    return connection().leadsToSourceOf(packet);
  }

  private Path connection() {
    Path way = path;
    if (way == null) {
      throw new AssertionError("a connected queue pair that works has been given an address");
    }
    return way;
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
        .queueKey(queueKey)
        .pathMigrationState(PathMigrationState.MIGRATED)
        .destinationQueuePairNumber(destinationQueuePair);
    if (addressVector != null) {
      builder.addressVector(addressVector);
    }
  }

  boolean allows(AccessFlag flag) {
    return access.contains(flag);
  }

  /** The number of its port, 0 before INIT. */
  int port() {
    return port;
  }

  int destinationQueuePair() {
    return destinationQueuePair;
  }

  int pathMtuBytes() {
    return pathMtu.bytes();
  }

  int queueKey() {
    return queueKey;
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
