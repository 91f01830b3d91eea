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
 * <p>In C a domain may be shared by processes that open the same file. Here it belongs to one
 * context, as with the file descriptor -1.
 *
 * <p>All methods may be called from any thread.
 *
 * <p>Source: ibv_open_xrcd(3), ibv_create_qp_ex(3), ibv_create_srq_ex(3).
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

  /** {@return true until {@link #close()} has succeeded} */
  boolean isOpen();

  /**
   * Closes the domain: {@code ibv_close_xrcd()}. Closing twice has no effect.
   *
   * @throws VerbsException EBUSY, with nothing changed, while a target or a shared receive queue of
   *     this domain is open
   */
  @Override
  void close();
}
