package io.roceverbs.verbs;

/**
 * Registered memory: {@code struct ibv_mr}. The region is valid from its registration until it is
 * closed; it cannot be invalidated by a work request, neither of this side nor of the peer.
 *
 * <p>The program keeps the buffer; which bytes the adapter owns at a moment follows from the
 * requests that are outstanding.
 *
 * <p>All methods may be called from any thread, also after {@link #close()}.
 *
 * <p>Source: ibv_reg_mr(3).
 */
public interface MemoryRegion extends AutoCloseable {
  /** {@return the protection domain of this region} */
  ProtectionDomain protectionDomain();

  /**
   * {@return the {@code lkey}, for segments of this side: 24 bits of index, 8 of variant; never 0}
   */
  int lkey();

  /**
   * Returns the key to hand to the peer. A program must not take it for the {@link #lkey()}, even
   * where they are equal.
   *
   * @return the {@code rkey}; without a remote right every use of it by the peer fails
   */
  int rkey();

  /** {@return the I/O virtual address of the first byte, for segments and for the peer} */
  long address();

  /** {@return the length of the region in bytes} */
  long length();

  /** {@return the rights given at the registration, or by the last change} */
  AccessFlags access();

  /**
   * Changes the region: {@code ibv_rereg_mr()}. The keys stay; the address changes with the memory,
   * so a program asks for it again. Requests that are queued meet the region as it is when the
   * device reaches them.
   *
   * @param change what to change
   * @throws VerbsException EINVAL, with the region as it was, if there is nothing to change, a new
   *     domain is closed or of another context, windows are bound, the region has no memory of the
   *     program, or the new memory or rights are not those of a registration; EOPNOTSUPP as there;
   *     EIO if the device has failed
   */
  void reregister(MemoryRegionChange change);

  /** {@return true until {@link #close()} has succeeded} */
  boolean isOpen();

  /**
   * Ends the registration: {@code ibv_dereg_mr()}. Closing twice has no effect.
   *
   * <p>Outstanding requests do not prevent it. After the return nothing reaches the memory any
   * more: own requests that still need it complete with LOC_PROT_ERR, requests of the peer with
   * REM_ACCESS_ERR.
   *
   * @throws VerbsException EINVAL, with nothing changed, while a window is bound to the region
   */
  @Override
  void close();
}
