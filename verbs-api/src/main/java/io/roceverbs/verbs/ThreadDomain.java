package io.roceverbs.verbs;

/**
 * A promise that one thread at a time uses what is made in it: {@code struct ibv_td}. A provider
 * may leave out its locks then.
 *
 * <p>It is handed to a parent domain, by {@link
 * ProtectionDomain#allocateParentDomain(ThreadDomain)}, and counts for the queues that are made on
 * that.
 *
 * <p>All methods may be called from any thread.
 *
 * <p>Source: ibv_alloc_td(3), ibv_alloc_parent_domain(3).
 */
public interface ThreadDomain extends AutoCloseable {
  /** {@return the context this domain was allocated on} */
  DeviceContext context();

  /** {@return true until {@link #close()} has succeeded} */
  boolean isOpen();

  /**
   * Deallocates the domain: {@code ibv_dealloc_td()}. Closing twice has no effect.
   *
   * @throws VerbsException EBUSY, with nothing changed, while a parent domain that it was handed to
   *     is open
   */
  @Override
  void close();
}
