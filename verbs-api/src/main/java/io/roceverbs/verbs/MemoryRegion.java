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

  /** {@return the rights given at the registration} */
  AccessFlags access();

  /** {@return true until {@link #close()} has succeeded} */
  boolean isOpen();

  /**
   * Ends the registration: {@code ibv_dereg_mr()}. Closing twice has no effect.
   *
   * <p>Outstanding requests do not prevent it. After the return nothing reaches the memory any
   * more: own requests that still need it complete with LOC_PROT_ERR, requests of the peer with
   * REM_ACCESS_ERR.
   */
  @Override
  void close();
}
