package io.roceverbs.verbs;

import java.util.Set;

/**
 * A send queue and a receive queue: {@code struct ibv_qp}, kernel {@code struct ib_qp}.
 *
 * <p>A reliable connected queue pair is brought up by three calls of {@link #modify}, on each side
 * with the other's address, number and first packet sequence number:
 *
 * <pre>{@code
 * queuePair.modify(
 *     QueuePairAttributes.to(INIT).partitionKeyIndex(0).port(1).access(REMOTE_WRITE).build());
 * queuePair.modify(
 *     QueuePairAttributes.to(RTR).addressVector(AddressVector.to(peerGid)).pathMtu(MTU_1024)
 *         .destinationQueuePairNumber(peerNumber).receivePsn(peerPsn)
 *         .maxDestinationReadAtomic(16).minRnrTimer(12).build());
 * queuePair.modify(
 *     QueuePairAttributes.to(RTS).timeout(14).retryCount(7).rnrRetry(7).sendPsn(psn)
 *         .maxReadAtomic(16).build());
 * }</pre>
 *
 * <p>All methods may be called from any thread. Posts of several threads to one queue are each
 * atomic, in an order nobody knows.
 *
 * <p>Source: ibv_create_qp(3), ibv_modify_qp(3), ibv_post_send(3), ibv_post_recv(3).
 */
public interface QueuePair extends AutoCloseable {
  /** {@return the context this queue pair was made on} */
  DeviceContext context();

  /**
   * Returns the protection domain of this queue pair.
   *
   * @return the domain
   * @throws IllegalStateException if it is of type {@link QueuePairType#XRC_RECV}, which has none:
   *     each request reaches memory through the domain of the shared receive queue that it names
   */
  ProtectionDomain protectionDomain();

  /** {@return the transport service, the {@code qp_type}} */
  QueuePairType type();

  /**
   * {@return the number under which the peer addresses this queue pair, the 24-bit {@code qp_num}}
   */
  int number();

  /**
   * Returns what the queue pair was made from.
   *
   * @return the initial attributes, with the capacities that were really given
   * @throws IllegalStateException if it is of type {@link QueuePairType#XRC_RECV}, which is made
   *     from an {@link XrcDomain} alone
   */
  QueuePairInit init();

  /**
   * Returns the state at this moment: the {@code qp_state} of {@code ibv_query_qp()}.
   *
   * @return the state
   */
  QueuePairState state();

  /**
   * Changes state and attributes: {@code ibv_modify_qp()}. A failed call changes nothing.
   *
   * <p>Attributes of a reliable connection that only the other end of an extended one has are left
   * out without a word: MAX_DEST_RD_ATOMIC and MIN_RNR_TIMER at an XRC_SEND queue pair,
   * MAX_QP_RD_ATOMIC, RETRY_CNT and RNR_RETRY at an XRC_RECV one. So both can be given what RC
   * takes.
   *
   * @param attributes the values, which know their own mask; without STATE the call stays in the
   *     present state
   * @throws QueuePairTransitionException (EINVAL) if the transition does not exist, lacks an
   *     attribute, or got one that it does not take
   * @throws VerbsException EINVAL if a value is out of range or the queue pair is closed; EPERM for
   *     a Q_Key with bit 31 of a program without the privilege
   */
  void modify(QueuePairAttributes attributes);

  /**
   * Asks for all attributes: {@code ibv_query_qp()}.
   *
   * @return the attributes that have been set so far, and the state; PSNs are those of this moment
   * @throws VerbsException EINVAL if the queue pair is closed
   */
  QueuePairAttributes query();

  /**
   * Asks in what order the bytes of a message are placed: {@code ibv_query_qp_data_in_order()} with
   * {@code IBV_QUERY_QP_DATA_IN_ORDER_RETURN_CAPS}.
   *
   * @param opcode the operation of the message
   * @return what the device promises; empty if only the completion tells that the bytes are there
   * @throws VerbsException EINVAL if the queue pair is closed
   */
  Set<DataOrder> queryDataInOrder(SendOpcode opcode);

  /**
   * Posts a request and all that are chained to it to the send queue: {@code ibv_post_send()}. The
   * requests are copied.
   *
   * @param first head of the chain
   * @throws PostException EINVAL if the state does not allow it (RESET, INIT, RTR), a request has
   *     no operation, too many segments or too much inline data, an atomic is not 8 bytes long at a
   *     multiple of 8, a READ or atomic meets {@code max_rd_atomic} 0, the type of the queue pair
   *     does not have the operation, a BIND_MW names a window of type 1, or a datagram has no
   *     usable address handle, or the queue pair is of type XRC_RECV; ENOMEM if the queue is full
   */
  void post(SendRequest first);

  /**
   * Makes an empty batch of requests that are posted all or none: {@code ibv_qp_to_qp_ex()}.
   *
   * @return a batch of this queue pair, for one thread
   * @throws VerbsException EINVAL if the queue pair was created without {@link
   *     QueuePairInit#sendOperations()}, or is closed
   */
  SendBatch createSendBatch();

  /**
   * Posts a receive and all that are chained to it to the receive queue: {@code ibv_post_recv()}.
   * The requests are copied.
   *
   * @param first head of the chain
   * @throws PostException EINVAL if the state does not allow it (RESET), a request has too many
   *     segments, or the queue pair has no receive queue of its own; ENOMEM if the queue is full
   */
  void post(ReceiveRequest first);

  /**
   * Lets the queue pair take datagrams to a multicast group: {@code ibv_attach_mcast()}. A group
   * that it is attached to already stays as it is.
   *
   * @param group the address of the group
   * @throws VerbsException EINVAL if the queue pair is not of type UD, or closed, or the address is
   *     not one of a group; ENOMEM if the device has no room for a further group or attachment
   */
  void attachMulticast(Gid group);

  /**
   * Ends what {@link #attachMulticast} began: {@code ibv_detach_mcast()}.
   *
   * @param group the address of the group
   * @throws VerbsException EINVAL if the queue pair is not attached to the group, or closed
   */
  void detachMulticast(Gid group);

  /**
   * Binds a window of type 1, or unbinds it: {@code ibv_bind_mw()}. This posts a request to the
   * send queue, which takes a slot and completes as BIND_MW. {@link MemoryWindow#rkey()} is the new
   * key at the return; if the binding fails later, the program restores the key from before.
   *
   * @param window a window of type 1, bound or not
   * @param id the {@code wr_id} of the completion
   * @param binding the part of a region, and the rights of the peer; a length of 0 unbinds
   * @param flags SIGNALED and FENCE mean something
   * @return the new key
   * @throws PostException EINVAL if the window is of type 2, closed or of another device, if there
   *     is no region but an address or a length, or for a right that a window of type 1 can't have;
   *     EPERM if window and region belong to different domains; else as {@link #post(SendRequest)}
   */
  int bind(MemoryWindow window, long id, MemoryWindowBinding binding, SendFlag... flags);

  /** {@return true until {@link #close()} has succeeded} */
  boolean isOpen();

  /**
   * Destroys the queue pair: {@code ibv_destroy_qp()}. Closing twice has no effect.
   *
   * <p>Outstanding requests do not prevent it and give no completion; those that wait in a
   * completion queue are removed. A program that wants them all moves to ERR first and polls until
   * the last flush.
   *
   * <p>While an asynchronous event of it that was fetched is unacknowledged, the call waits as
   * {@link CompletionQueue#close} does.
   *
   * @throws VerbsException EBUSY, with nothing changed, while the queue pair is attached to a
   *     multicast group; or if such an event is unacknowledged and there is nobody to wait for, as
   *     {@link CompletionQueue#close} tells
   */
  @Override
  void close();
}
