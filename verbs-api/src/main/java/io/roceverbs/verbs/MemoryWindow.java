package io.roceverbs.verbs;

/**
 * A key of its own for a part of a region: {@code struct ibv_mw}. Binding it and taking it away is
 * a request in a send queue, so it costs less than a registration and keeps its place among other
 * requests.
 *
 * <pre>{@code
 * MemoryWindow window = domain.allocateMemoryWindow(MemoryWindowType.TYPE_2);
 * MemoryWindowBinding part = MemoryWindowBinding.of(region, 0, 4096, AccessFlags.of(REMOTE_WRITE));
 * queuePair.post(request.reset(1).bindMemoryWindow(window, window.nextRkey(), part));
 * // requests behind it in this queue may tell the peer window.rkey() at once
 * queuePair.post(request.reset(2).localInvalidate(window.rkey()).signaled());
 * }</pre>
 *
 * <p>A window allows what its binding says, whatever remote rights the region has; the region needs
 * MW_BIND. A region with bound windows can't be closed, changed or invalidated.
 *
 * <p>All methods may be called from any thread.
 *
 * <p>Source: ibv_alloc_mw(3), ibv_bind_mw(3).
 */
public interface MemoryWindow extends AutoCloseable {
  /** {@return the protection domain of this window} */
  ProtectionDomain protectionDomain();

  /** {@return the type, which fixes how it is bound} */
  MemoryWindowType type();

  /**
   * Returns the {@code rkey} as this side knows it. A post that binds the window sets it to the new
   * key at once, before the binding is executed.
   *
   * @return the key that the next binding replaces; it reaches memory while the window is bound
   */
  int rkey();

  /**
   * Computes the key behind {@link #rkey()}, for a BIND_MW: {@code ibv_inc_rkey(mw->rkey)}. Nothing
   * is changed.
   *
   * @return the same 24 bits of index, with the low byte one larger, modulo 256
   */
  int nextRkey();

  /**
   * Sets the field {@code mw->rkey}. A program does this after a binding has failed or was flushed:
   * the device still has the key from before, and the next binding must name that one.
   *
   * @param rkey the key from before; not checked here
   */
  void restoreRkey(int rkey);

  /** {@return true until {@link #close()} has succeeded} */
  boolean isOpen();

  /**
   * Gives the window back, bound or not: {@code ibv_dealloc_mw()}. It always succeeds; the key is
   * dead at the return. Closing twice has no effect.
   */
  @Override
  void close();
}
