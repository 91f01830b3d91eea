package io.roceverbs.sim;

import io.roceverbs.verbs.AccessFlag;
import io.roceverbs.verbs.AccessFlags;
import io.roceverbs.verbs.AddressVector;
import io.roceverbs.verbs.Gid;
import io.roceverbs.verbs.PathMtu;
import io.roceverbs.verbs.QueuePair;
import io.roceverbs.verbs.QueuePairAttributes;
import io.roceverbs.verbs.QueuePairState;

/**
 * How two RC queue pairs are connected without a connection manager: each is moved from RESET to
 * RTS with the number, the address and the starting PSN of the other, as programs do that exchange
 * these over a socket of their own.
 *
 * <p>Only calls of {@code io.roceverbs.verbs} are made, so this is also an example of the walk.
 *
 * @param pathMtu the same on both sides
 * @param firstPsn the PSN of the first packet in either direction, 24 bits
 * @param timeout ACK timeout code: 4.096 us times 2 to the power of it; 0 means never
 * @param retryCount 0..7 retries after a timeout or a sequence NAK
 * @param rnrRetry 0..7 retries after an RNR NAK; 7 means without end
 * @param minRnrTimer code 0..31 of the wait that an RNR NAK asks for; 0 is the longest, 655.36 ms
 * @param readDepth READs and atomics in flight in either direction
 * @param access what the peer may do through the queue pair
 * @param gidIndex index into both GID tables: 0 is IPv4, 1 is IPv6
 */
public record ConnectionSetup(
    PathMtu pathMtu,
    int firstPsn,
    int timeout,
    int retryCount,
    int rnrRetry,
    int minRnrTimer,
    int readDepth,
    AccessFlags access,
    int gidIndex) {
  private static final int PORT = 1;

  /**
   * Path MTU 1024, PSN 0x000100, timeout 14 (67.1 ms), 7 retries, RNR timer 12 (0.64 ms), read
   * depth 4, all access.
   */
  public static ConnectionSetup standard() {
    return new ConnectionSetup(
        PathMtu.MTU_1024,
        0x000100,
        14,
        7,
        7,
        12,
        4,
        AccessFlags.of(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC),
        0);
  }

  /** The same with another path MTU. */
  public ConnectionSetup withPathMtu(PathMtu value) {
    return new ConnectionSetup(
        value, firstPsn, timeout, retryCount, rnrRetry, minRnrTimer, readDepth, access, gidIndex);
  }

  /** The same with another starting PSN. */
  public ConnectionSetup withFirstPsn(int value) {
    return new ConnectionSetup(
        pathMtu, value, timeout, retryCount, rnrRetry, minRnrTimer, readDepth, access, gidIndex);
  }

  /** The same with another ACK timeout code. */
  public ConnectionSetup withTimeout(int value) {
    return new ConnectionSetup(
        pathMtu, firstPsn, value, retryCount, rnrRetry, minRnrTimer, readDepth, access, gidIndex);
  }

  /** The same with other retry counts. */
  public ConnectionSetup withRetries(int retry, int rnr) {
    return new ConnectionSetup(
        pathMtu, firstPsn, timeout, retry, rnr, minRnrTimer, readDepth, access, gidIndex);
  }

  /** The same with another RNR timer code. */
  public ConnectionSetup withMinRnrTimer(int value) {
    return new ConnectionSetup(
        pathMtu, firstPsn, timeout, retryCount, rnrRetry, value, readDepth, access, gidIndex);
  }

  /** The same with another depth of READs and atomics. */
  public ConnectionSetup withReadDepth(int value) {
    return new ConnectionSetup(
        pathMtu, firstPsn, timeout, retryCount, rnrRetry, minRnrTimer, value, access, gidIndex);
  }

  /** The same with other rights for the peer. */
  public ConnectionSetup withAccess(AccessFlags value) {
    return new ConnectionSetup(
        pathMtu, firstPsn, timeout, retryCount, rnrRetry, minRnrTimer, readDepth, value, gidIndex);
  }

  /** The same over another entry of the GID tables. */
  public ConnectionSetup withGidIndex(int value) {
    return new ConnectionSetup(
        pathMtu, firstPsn, timeout, retryCount, rnrRetry, minRnrTimer, readDepth, access, value);
  }

  /**
   * Connects two queue pairs in RESET: both are in RTS when this returns.
   *
   * @throws io.roceverbs.verbs.VerbsException EINVAL if a value is out of range or a queue pair is
   *     not in RESET
   */
  public void connect(QueuePair first, QueuePair second) {
    initialize(first);
    initialize(second);
    readyToReceive(first, gid(second), second.number());
    readyToReceive(second, gid(first), first.number());
    readyToSend(first);
    readyToSend(second);
  }

  /** RESET to INIT. */
  public void initialize(QueuePair queuePair) {
    queuePair.modify(
        QueuePairAttributes.to(QueuePairState.INIT)
            .partitionKeyIndex(0)
            .port(PORT)
            .access(access)
            .build());
  }

  /** INIT to RTR, toward a peer. */
  public void readyToReceive(QueuePair queuePair, Gid peer, int peerNumber) {
    queuePair.modify(
        QueuePairAttributes.to(QueuePairState.RTR)
            .addressVector(AddressVector.to(peer).withSourceGidIndex(gidIndex))
            .pathMtu(pathMtu)
            .destinationQueuePairNumber(peerNumber)
            .receivePsn(firstPsn)
            .maxDestinationReadAtomic(readDepth)
            .minRnrTimer(minRnrTimer)
            .build());
  }

  /** RTR to RTS. */
  public void readyToSend(QueuePair queuePair) {
    queuePair.modify(
        QueuePairAttributes.to(QueuePairState.RTS)
            .timeout(timeout)
            .retryCount(retryCount)
            .rnrRetry(rnrRetry)
            .sendPsn(firstPsn)
            .maxReadAtomic(readDepth)
            .build());
  }

  private Gid gid(QueuePair queuePair) {
    return queuePair.protectionDomain().context().queryGid(PORT, gidIndex);
  }
}
