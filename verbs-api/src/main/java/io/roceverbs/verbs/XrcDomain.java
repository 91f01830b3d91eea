package io.roceverbs.verbs;

/**
 * Shared receive queues and the targets that deliver into them: {@code struct ibv_xrcd}, kernel
 * {@code struct ib_xrcd}.
 *
 * <p>An extended reliable connection leads from an initiator ({@link QueuePairType#XRC_SEND}) to a
 * target ({@link QueuePairType#XRC_RECV}). The target has no queues. Each request names a shared
 * receive queue of the target's domain: the receive, the completion queue and, for access to
 * memory, the protection domain are that queue's. So one connection serves many receivers.
 *
 * <p>In C a domain may be shared by processes that open the same file, here by contexts of a device
 * that open it under the same name. A target then delivers into the shared receive queues of all of
 * them.
 *
 * <p>All methods may be called from any thread.
 *
 * <p>Source: ibv_open_xrcd(3), ibv_create_qp_ex(3), ibv_open_qp(3), ibv_create_srq_ex(3).
 */
public interface XrcDomain extends AutoCloseable {
  /** {@return the context this domain was opened on} */
  DeviceContext context();

  /**
   * Makes a target: {@code ibv_create_qp_ex()} with type {@code IBV_QPT_XRC_RECV}, which needs
   * neither a protection domain nor a completion queue. It begins in RESET.
   *
   * @return an open queue pair, to which nothing can be posted
   * @throws VerbsException EINVAL if the domain is closed; ENOMEM if the device has no further
   *     queue pair
   */
  QueuePair createTargetQueuePair();

  /**
   * Opens a target that is there already, made by whoever shares the domain: {@code ibv_open_qp()}.
   * It is the same queue pair, which each opener may modify. Each hears of its events, has to
   * acknowledge its own, and closes it; with the last one it is destroyed.
   *
   * @param number the number of the queue pair
   * @return the open queue pair, in the state in which it is
   * @throws VerbsException EINVAL if the domain is closed, or has no target of that number
   */
  QueuePair openTargetQueuePair(int number);

  /** {@return true until {@link #close()} has succeeded} */
  boolean isOpen();

  /**
   * Closes the domain: {@code ibv_close_xrcd()}. Others that have opened it keep it. Closing twice
   * has no effect.
   *
   * @throws VerbsException EBUSY, with nothing changed, while a target or a shared receive queue is
   *     open that was made or opened through this object
   */
  @Override
  void close();
}
