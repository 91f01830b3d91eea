package io.roceverbs.verbs;

/**
 * Receives that the messages of several queue pairs take, in the order of posting: {@code struct
 * ibv_srq}, kernel {@code struct ib_srq}.
 *
 * <p>The segments of its receives are reached through the protection domain of this queue, whatever
 * that of the queue pair. A slot is free again as soon as a message has taken its receive. Receives
 * that wait here are not flushed when a queue pair fails; that one raises {@link
 * AsyncEventType#QP_LAST_WQE_REACHED} when it takes no more.
 *
 * <p>All methods may be called from any thread.
 *
 * <p>Source: ibv_create_srq(3), ibv_modify_srq(3), ibv_post_srq_recv(3).
 */
public interface SharedReceiveQueue extends AutoCloseable {
  /** {@return the protection domain of this queue} */
  ProtectionDomain protectionDomain();

  /** {@return who takes receives from it, the {@code srq_type}} */
  SharedReceiveQueueType type();

  /**
   * Returns the number by which an XRC initiator names the queue: {@code ibv_get_srq_num()}.
   *
   * @return 24 bits
   * @throws VerbsException EOPNOTSUPP if the queue is not of type XRC
   */
  int number();

  /**
   * Asks for the sizes and the limit: {@code ibv_query_srq()}.
   *
   * @return the attributes at this moment
   * @throws VerbsException EINVAL if the queue is closed
   */
  SharedReceiveQueueAttributes query();

  /**
   * Changes how many receives fit: {@code ibv_modify_srq()} with {@code IBV_SRQ_MAX_WR}. The
   * receives that wait stay, in their order.
   *
   * @param maxRequests receives at a time, at least 1
   * @throws VerbsException EINVAL, with nothing changed, if it is less than the receives that wait
   *     or than the limit, or more than the device offers, or if the queue is closed; EOPNOTSUPP
   *     without the capability SRQ_RESIZE
   */
  void resize(int maxRequests);

  /**
   * Asks for one {@link AsyncEventType#SRQ_LIMIT_REACHED} as soon as fewer receives wait: {@code
   * ibv_modify_srq()} with {@code IBV_SRQ_LIMIT}. If fewer wait already, it comes at once.
   *
   * @param receives 1 or more; 0 takes the wish back
   * @throws VerbsException EINVAL, with nothing changed, if it is negative or more than fit, or if
   *     the queue is closed
   */
  void armLimit(int receives);

  /**
   * Posts a receive and all that are chained to it: {@code ibv_post_srq_recv()}. The requests are
   * copied. No queue pair has to be in any state.
   *
   * @param first head of the chain
   * @throws PostException EINVAL if a request has too many segments or the queue is closed; ENOMEM
   *     if the queue is full
   */
  void post(ReceiveRequest first);

  /** {@return true until {@link #close()} has succeeded} */
  boolean isOpen();

  /**
   * Destroys the queue: {@code ibv_destroy_srq()}. Receives that wait vanish without completions.
   * Closing twice has no effect.
   *
   * <p>XRC targets do not use a queue in this sense: a request that names a closed one is refused
   * by them as invalid.
   *
   * <p>While an asynchronous event of it that was fetched is unacknowledged, the call waits as
   * {@link CompletionQueue#close} does.
   *
   * @throws VerbsException EBUSY, with nothing changed, while a queue pair uses the queue; or if
   *     such an event is unacknowledged and there is nobody to wait for, as {@link
   *     CompletionQueue#close} tells
   */
  @Override
  void close();
}
