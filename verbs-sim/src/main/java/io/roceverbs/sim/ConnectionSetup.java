package io.roceverbs.sim;

import io.roceverbs.verbs.AccessFlag;
import io.roceverbs.verbs.AccessFlags;
import io.roceverbs.verbs.AddressVector;
import io.roceverbs.verbs.Gid;
import io.roceverbs.verbs.PathMtu;
import io.roceverbs.verbs.QueuePair;
import io.roceverbs.verbs.QueuePairAttributes;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.QueuePairType;

/**
 * How two queue pairs are connected without a connection manager: each is moved from RESET to RTS
 * with the number, the address and the starting PSN of the other, as programs do that exchange
 * these over a socket of their own. Of the values, each type of queue pair gets those that it
 * takes.
 *
 * <p>Only calls of {@code io.roceverbs.verbs} are made, so this is also an example of the walk. The
 * C counterpart is {@code pp_connect_ctx()} of {@code ibv_rc_pingpong}, in rdma-core's {@code
 * libibverbs/examples/rc_pingpong.c}.
 *
 * <p>The values are not checked here but by {@link QueuePair#modify}, when they are used.
 *
 * <p>Immutable, so any thread may use it. While two queue pairs are being connected, no other
 * thread should move them.
 *
 * @param pathMtu the {@code path_mtu}, the same on both sides, at most that of either port
 * @param firstPsn the {@code rq_psn} and {@code sq_psn}: the PSN of the first packet in either
 *     direction; higher bits than the lowest 24 are dropped
 * @param timeout the {@code timeout}, an ACK timeout code 0 to 31: 4.096 us times 2 to the power of
 *     it; 0 means never
 * @param retryCount the {@code retry_cnt}: 0 to 7 retries after a timeout or a sequence NAK
 * @param rnrRetry the {@code rnr_retry}: 0 to 7 retries after an RNR NAK; 7 means without end
 * @param minRnrTimer the {@code min_rnr_timer}, code 0 to 31 of the wait that an RNR NAK asks for;
 *     0 is the longest, 655.36 ms
 * @param readDepth the {@code max_rd_atomic} and {@code max_dest_rd_atomic}: READs and atomics in
 *     flight in either direction, 0 to what the device allows
 * @param access the {@code qp_access_flags}: what the peer may do through the queue pair
 * @param gidIndex index into both GID tables: 0 is IPv4, 1 is IPv6
 * @param queueKey the {@code qkey} of a datagram queue pair
 * @param port number of the port on both sides
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
    int gidIndex,
    int queueKey,
    int port) {
  /** The Q_Key of the standard setup. */
  public static final int DEFAULT_QUEUE_KEY = 0x11111111;

  private static final int FIRST_PORT = 1;

  /**
   * Path MTU 1024, PSN 0x000100, timeout 14 (67.1 ms), 7 retries, RNR NAKs without end, RNR timer
   * 12 (0.64 ms), read depth 4, all remote access, over IPv4, Q_Key 0x11111111.
   *
   * @return the setup from which the {@code with} methods make others
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
        0,
        DEFAULT_QUEUE_KEY,
        FIRST_PORT);
  }

  /**
   * The same with another path MTU.
   *
   * @param value the payload of a full packet, on both sides
   * @return a new setup
   */
  public ConnectionSetup withPathMtu(PathMtu value) {
    return new ConnectionSetup(
        value,
        firstPsn,
        timeout,
        retryCount,
        rnrRetry,
        minRnrTimer,
        readDepth,
        access,
        gidIndex,
        queueKey,
        port);
  }

  /**
   * The same with another starting PSN.
   *
   * @param value 24 bits; just below 0xFFFFFF the numbers soon wrap around
   * @return a new setup
   */
  public ConnectionSetup withFirstPsn(int value) {
    return new ConnectionSetup(
        pathMtu,
        value,
        timeout,
        retryCount,
        rnrRetry,
        minRnrTimer,
        readDepth,
        access,
        gidIndex,
        queueKey,
        port);
  }

  /**
   * The same with another ACK timeout.
   *
   * @param value code 0 to 31, see {@link io.roceverbs.sim.wire.AckTimeout}; 0 for no timeout
   * @return a new setup
   */
  public ConnectionSetup withTimeout(int value) {
    return new ConnectionSetup(
        pathMtu,
        firstPsn,
        value,
        retryCount,
        rnrRetry,
        minRnrTimer,
        readDepth,
        access,
        gidIndex,
        queueKey,
        port);
  }

  /**
   * The same with other retry counts.
   *
   * @param retry 0 to 7 retries after a timeout or a sequence NAK
   * @param rnr 0 to 7 retries after an RNR NAK; 7 means without end
   * @return a new setup
   */
  public ConnectionSetup withRetries(int retry, int rnr) {
    return new ConnectionSetup(
        pathMtu,
        firstPsn,
        timeout,
        retry,
        rnr,
        minRnrTimer,
        readDepth,
        access,
        gidIndex,
        queueKey,
        port);
  }

  /**
   * The same with another wait after an RNR NAK.
   *
   * @param value code 0 to 31, see {@link io.roceverbs.sim.wire.RnrTimer}
   * @return a new setup
   */
  public ConnectionSetup withMinRnrTimer(int value) {
    return new ConnectionSetup(
        pathMtu,
        firstPsn,
        timeout,
        retryCount,
        rnrRetry,
        value,
        readDepth,
        access,
        gidIndex,
        queueKey,
        port);
  }

  /**
   * The same with another depth of READs and atomics.
   *
   * @param value how many may be in flight in either direction; 0 for none at all
   * @return a new setup
   */
  public ConnectionSetup withReadDepth(int value) {
    return new ConnectionSetup(
        pathMtu,
        firstPsn,
        timeout,
        retryCount,
        rnrRetry,
        minRnrTimer,
        value,
        access,
        gidIndex,
        queueKey,
        port);
  }

  /**
   * The same with other rights for the peer.
   *
   * @param value what the peer may do, on both sides; a memory region must allow it too
   * @return a new setup
   */
  public ConnectionSetup withAccess(AccessFlags value) {
    return new ConnectionSetup(
        pathMtu,
        firstPsn,
        timeout,
        retryCount,
        rnrRetry,
        minRnrTimer,
        readDepth,
        value,
        gidIndex,
        queueKey,
        port);
  }

  /**
   * The same over another entry of the GID tables.
   *
   * @param value index into both tables: 0 is IPv4, 1 is IPv6
   * @return a new setup
   */
  public ConnectionSetup withGidIndex(int value) {
    return new ConnectionSetup(
        pathMtu,
        firstPsn,
        timeout,
        retryCount,
        rnrRetry,
        minRnrTimer,
        readDepth,
        access,
        value,
        queueKey,
        port);
  }

  /**
   * The same with another Q_Key.
   *
   * @param value the key of the datagram queue pairs
   * @return a new setup
   */
  public ConnectionSetup withQueueKey(int value) {
    return new ConnectionSetup(
        pathMtu,
        firstPsn,
        timeout,
        retryCount,
        rnrRetry,
        minRnrTimer,
        readDepth,
        access,
        gidIndex,
        value,
        port);
  }

  /**
   * The same at another port.
   *
   * @param value number of a port that both devices have
   * @return a new setup
   */
  public ConnectionSetup withPort(int value) {
    return new ConnectionSetup(
        pathMtu,
        firstPsn,
        timeout,
        retryCount,
        rnrRetry,
        minRnrTimer,
        readDepth,
        access,
        gidIndex,
        queueKey,
        value);
  }

  /**
   * Connects two queue pairs in RESET: both are in RTS when this returns.
   *
   * <p>If a call fails, what was done before it stays done; a queue pair that is moved to RESET can
   * be connected again.
   *
   * @param first one end, in RESET
   * @param second the other end, in RESET
   * @throws io.roceverbs.verbs.VerbsException EINVAL if a value is out of range, a queue pair is
   *     beyond INIT, or there is no entry {@link #gidIndex} in a GID table
   * @throws IllegalArgumentException if a value does not fit into its field, which is 8 bits wide
   *     for a code, a count and a depth
   */
  public void connect(QueuePair first, QueuePair second) {
    initialize(first);
    initialize(second);
    readyToReceive(first, gid(second), second.number());
    readyToReceive(second, gid(first), first.number());
    readyToSend(first);
    readyToSend(second);
  }

  /**
   * Moves one end from RESET to INIT, on port {@link #port} and with the P_Key at index 0. From
   * then on receives can be posted, and they should be before the peer may send.
   *
   * @param queuePair in RESET
   * @throws io.roceverbs.verbs.VerbsException EINVAL if it is neither in RESET nor in INIT
   */
  public void initialize(QueuePair queuePair) {
    QueuePairAttributes.Builder attributes =
        QueuePairAttributes.to(QueuePairState.INIT).partitionKeyIndex(0).port(port);
    switch (queuePair.type()) {
      case UD -> attributes.queueKey(queueKey);
      case RC, UC, XRC_SEND, XRC_RECV -> attributes.access(access);
      case SMI, GSI, RAW_PACKET, DRIVER -> throw unknown(queuePair);
    }
    queuePair.modify(attributes.build());
  }

  /**
   * Moves one end from INIT to RTR, toward a peer. From then on it answers requests.
   *
   * @param queuePair in INIT; one of type UD has no peer, and does not look at the rest
   * @param peer the address of the other end, of the same IP version as the own one at {@link
   *     #gidIndex}
   * @param peerNumber the number of the queue pair there, 24 bits
   * @throws io.roceverbs.verbs.VerbsException EINVAL if a value is out of range or the queue pair
   *     is not in INIT
   * @throws IllegalArgumentException if a value does not fit into its field
   */
  public void readyToReceive(QueuePair queuePair, Gid peer, int peerNumber) {
    QueuePairAttributes.Builder attributes = QueuePairAttributes.to(QueuePairState.RTR);
    if (queuePair.type() != QueuePairType.UD) {
      attributes
          .addressVector(AddressVector.to(peer).withSourceGidIndex(gidIndex).withPort(port))
          .pathMtu(pathMtu)
          .destinationQueuePairNumber(peerNumber)
          .receivePsn(firstPsn);
    }
    if (queuePair.type() == QueuePairType.RC || queuePair.type() == QueuePairType.XRC_RECV) {
      attributes.maxDestinationReadAtomic(readDepth).minRnrTimer(minRnrTimer);
    }
    queuePair.modify(attributes.build());
  }

  /**
   * Moves one end from RTR to RTS. From then on it sends; the peer must be in RTR by the time that
   * the first request arrives, or it is dropped and repeated after the ACK timeout.
   *
   * @param queuePair in RTR
   * @throws io.roceverbs.verbs.VerbsException EINVAL if a value is out of range or the queue pair
   *     is not in RTR
   * @throws IllegalArgumentException if a value does not fit into its field
   */
  public void readyToSend(QueuePair queuePair) {
    QueuePairAttributes.Builder attributes =
        QueuePairAttributes.to(QueuePairState.RTS).sendPsn(firstPsn);
    switch (queuePair.type()) {
      case RC, XRC_SEND ->
          attributes
              .timeout(timeout)
              .retryCount(retryCount)
              .rnrRetry(rnrRetry)
              .maxReadAtomic(readDepth);
      case XRC_RECV -> attributes.timeout(timeout);
      case UC, UD -> {
        // Nobody answers, so there is nothing to wait for.
      }
      case SMI, GSI, RAW_PACKET, DRIVER -> throw unknown(queuePair);
    }
    queuePair.modify(attributes.build());
  }

  private static IllegalArgumentException unknown(QueuePair queuePair) {
    return new IllegalArgumentException(
        "a queue pair of type " + queuePair.type() + " is set up in a way of its own");
  }

  private Gid gid(QueuePair queuePair) {
    return queuePair.context().queryGid(port, gidIndex);
  }
}
