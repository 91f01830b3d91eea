package io.roceverbs.verbs;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a queue pair is made from: {@code struct ibv_qp_init_attr}, kernel {@code struct
 * ib_qp_init_attr}.
 *
 * <p>Immutable; each {@code with...} method returns a changed copy.
 *
 * <p>Source: ibv_create_qp(3).
 *
 * @param type transport service
 * @param sendCompletionQueue where completions of send requests go
 * @param receiveCompletionQueue where completions of receives go; may be the same queue
 * @param capacities sizes asked for
 * @param signalAll {@code sq_sig_all}: every send request makes a completion, signaled or not
 * @param sharedReceiveQueue {@code srq}: where receives are taken from instead of a queue of its
 *     own, or null
 * @param blocksOwnMulticast {@code IBV_QP_CREATE_BLOCK_SELF_MCAST_LB}: its own datagrams to a group
 *     that it is attached to do not come back
 * @param sendOperations {@code send_ops_flags}: what its {@link SendBatch batches} may hold; empty
 *     if it has none
 */
public record QueuePairInit(
    QueuePairType type,
    CompletionQueue sendCompletionQueue,
    CompletionQueue receiveCompletionQueue,
    QueuePairCapacities capacities,
    boolean signalAll,
    @Nullable SharedReceiveQueue sharedReceiveQueue,
    boolean blocksOwnMulticast,
    Set<SendOperation> sendOperations) {
  private static final int DEFAULT_SEGMENTS = 4;

  /**
   * Copies the set of operations, in their own order.
   *
   * @param type as the component
   * @param sendCompletionQueue as the component
   * @param receiveCompletionQueue as the component
   * @param capacities as the component
   * @param signalAll as the component
   * @param sharedReceiveQueue as the component
   * @param blocksOwnMulticast as the component
   * @param sendOperations as the component
   */
  public QueuePairInit {
    EnumSet<SendOperation> sorted = EnumSet.noneOf(SendOperation.class);
    sorted.addAll(sendOperations);
    sendOperations = Collections.unmodifiableSet(sorted);
  }

  /**
   * Begins with a reliable connected queue pair with four segments a request, no inline data, and
   * completions only for signaled sends.
   *
   * @param completionQueue gets the completions of both queues
   * @param maxSendRequests outstanding send requests
   * @param maxReceiveRequests outstanding receives
   * @return the initial attributes
   * @throws IllegalArgumentException if a size is negative
   */
  public static QueuePairInit reliableConnected(
      CompletionQueue completionQueue, int maxSendRequests, int maxReceiveRequests) {
    return of(QueuePairType.RC, completionQueue, maxSendRequests, maxReceiveRequests);
  }

  /**
   * Begins with an unreliable connected queue pair; else as {@link #reliableConnected}.
   *
   * @param completionQueue gets the completions of both queues
   * @param maxSendRequests outstanding send requests
   * @param maxReceiveRequests outstanding receives
   * @return the initial attributes
   * @throws IllegalArgumentException if a size is negative
   */
  public static QueuePairInit unreliableConnected(
      CompletionQueue completionQueue, int maxSendRequests, int maxReceiveRequests) {
    return of(QueuePairType.UC, completionQueue, maxSendRequests, maxReceiveRequests);
  }

  /**
   * Begins with a datagram queue pair; else as {@link #reliableConnected}.
   *
   * @param completionQueue gets the completions of both queues
   * @param maxSendRequests outstanding send requests
   * @param maxReceiveRequests outstanding receives
   * @return the initial attributes
   * @throws IllegalArgumentException if a size is negative
   */
  public static QueuePairInit datagram(
      CompletionQueue completionQueue, int maxSendRequests, int maxReceiveRequests) {
    return of(QueuePairType.UD, completionQueue, maxSendRequests, maxReceiveRequests);
  }

  /**
   * Begins with the sending end of an extended reliable connection; else as {@link
   * #reliableConnected}. It has no receives. The receiving end is made by {@link
   * XrcDomain#createTargetQueuePair()}.
   *
   * @param completionQueue gets the completions of sends
   * @param maxSendRequests outstanding send requests
   * @return the initial attributes
   * @throws IllegalArgumentException if the size is negative
   */
  public static QueuePairInit xrcInitiator(CompletionQueue completionQueue, int maxSendRequests) {
    return of(QueuePairType.XRC_SEND, completionQueue, maxSendRequests, 0);
  }

  private static QueuePairInit of(
      QueuePairType type, CompletionQueue completionQueue, int sends, int receives) {
    return new QueuePairInit(
        type,
        completionQueue,
        completionQueue,
        new QueuePairCapacities(sends, receives, DEFAULT_SEGMENTS, DEFAULT_SEGMENTS, 0),
        false,
        null,
        false,
        Set.of());
  }

  /**
   * Returns a copy of another type.
   *
   * @param service the transport service
   * @return the changed copy
   */
  public QueuePairInit withType(QueuePairType service) {
    return new QueuePairInit(
        service,
        sendCompletionQueue,
        receiveCompletionQueue,
        capacities,
        signalAll,
        sharedReceiveQueue,
        blocksOwnMulticast,
        sendOperations);
  }

  /**
   * Returns a copy with another completion queue for sends.
   *
   * @param queue where completions of send requests go
   * @return the changed copy
   */
  public QueuePairInit withSendCompletionQueue(CompletionQueue queue) {
    return new QueuePairInit(
        type,
        queue,
        receiveCompletionQueue,
        capacities,
        signalAll,
        sharedReceiveQueue,
        blocksOwnMulticast,
        sendOperations);
  }

  /**
   * Returns a copy with another completion queue for receives.
   *
   * @param queue where completions of receives go
   * @return the changed copy
   */
  public QueuePairInit withReceiveCompletionQueue(CompletionQueue queue) {
    return new QueuePairInit(
        type,
        sendCompletionQueue,
        queue,
        capacities,
        signalAll,
        sharedReceiveQueue,
        blocksOwnMulticast,
        sendOperations);
  }

  /**
   * Returns a copy with other sizes.
   *
   * @param sizes all sizes
   * @return the changed copy
   */
  public QueuePairInit withCapacities(QueuePairCapacities sizes) {
    return new QueuePairInit(
        type,
        sendCompletionQueue,
        receiveCompletionQueue,
        sizes,
        signalAll,
        sharedReceiveQueue,
        blocksOwnMulticast,
        sendOperations);
  }

  /**
   * Returns a copy with other segment counts.
   *
   * @param send segments in one send request
   * @param receive segments in one receive
   * @return the changed copy
   * @throws IllegalArgumentException if one is negative
   */
  public QueuePairInit withSegments(int send, int receive) {
    return withCapacities(
        new QueuePairCapacities(
            capacities.maxSendRequests(),
            capacities.maxReceiveRequests(),
            send,
            receive,
            capacities.maxInlineBytes()));
  }

  /**
   * Returns a copy with room for inline data.
   *
   * @param bytesMax bytes of inline data in one send request
   * @return the changed copy
   * @throws IllegalArgumentException if it is negative
   */
  public QueuePairInit withInline(int bytesMax) {
    return withCapacities(
        new QueuePairCapacities(
            capacities.maxSendRequests(),
            capacities.maxReceiveRequests(),
            capacities.maxSendSegments(),
            capacities.maxReceiveSegments(),
            bytesMax));
  }

  /** {@return a copy in which every send request makes a completion} */
  public QueuePairInit withSignalAll() {
    return new QueuePairInit(
        type,
        sendCompletionQueue,
        receiveCompletionQueue,
        capacities,
        true,
        sharedReceiveQueue,
        blocksOwnMulticast,
        sendOperations);
  }

  /**
   * Returns a copy that takes its receives from a shared queue. Its own receive sizes do not count
   * then.
   *
   * @param queue the shared receive queue
   * @return the changed copy
   */
  public QueuePairInit withSharedReceiveQueue(SharedReceiveQueue queue) {
    return new QueuePairInit(
        type,
        sendCompletionQueue,
        receiveCompletionQueue,
        capacities,
        signalAll,
        queue,
        blocksOwnMulticast,
        sendOperations);
  }

  /** {@return a copy to which its own datagrams to a multicast group do not come back} */
  public QueuePairInit withoutOwnMulticast() {
    return new QueuePairInit(
        type,
        sendCompletionQueue,
        receiveCompletionQueue,
        capacities,
        signalAll,
        sharedReceiveQueue,
        true,
        sendOperations);
  }

  /**
   * Returns a copy that can post by {@link SendBatch}: {@code ibv_create_qp_ex()} with {@code
   * send_ops_flags}.
   *
   * @param operations all that its batches may hold
   * @return the changed copy
   */
  public QueuePairInit withSendOperations(SendOperation... operations) {
    return new QueuePairInit(
        type,
        sendCompletionQueue,
        receiveCompletionQueue,
        capacities,
        signalAll,
        sharedReceiveQueue,
        blocksOwnMulticast,
        Set.of(operations));
  }
}
