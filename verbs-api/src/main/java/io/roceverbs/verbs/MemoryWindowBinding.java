package io.roceverbs.verbs;

import org.jspecify.annotations.Nullable;

/**
 * What a memory window is bound to: {@code struct ibv_mw_bind_info}.
 *
 * <p>Source: rdma-core {@code libibverbs/verbs.h}, ibv_bind_mw(3), ibv_post_send(3).
 *
 * @param protectionDomain domain of the region, {@code mr->pd}; null where C has no region
 * @param lkey local key of the region, {@code mr->lkey}; 0 without a region
 * @param address I/O virtual address of the first byte, as the region counts
 * @param length number of bytes; 0 unbinds a window of type 1
 * @param access any of REMOTE_WRITE, REMOTE_READ, REMOTE_ATOMIC and, for type 2, ZERO_BASED
 */
public record MemoryWindowBinding(
    @Nullable ProtectionDomain protectionDomain,
    int lkey,
    long address,
    long length,
    AccessFlags access) {
  /** Bound to nothing: makes a {@link QueuePair#bind} unbind the window. */
  public static final MemoryWindowBinding NONE =
      new MemoryWindowBinding(null, 0, 0, 0, AccessFlags.NONE);

  /**
   * A part of a region.
   *
   * @param region the region, registered with MW_BIND
   * @param offset first byte, counted from the first byte of the region
   * @param length number of bytes; neither it nor the offset is checked here
   * @param access rights of the peer
   * @return the binding
   */
  public static MemoryWindowBinding of(
      MemoryRegion region, long offset, long length, AccessFlags access) {
    return new MemoryWindowBinding(
        region.protectionDomain(), region.lkey(), region.address() + offset, length, access);
  }

  /**
   * A part of a fast registration region, under its current key and mapping.
   *
   * @param region the region, which must be registered with MW_BIND when the device binds
   * @param offset first byte, counted from the first byte of the mapping
   * @param length number of bytes; neither it nor the offset is checked here
   * @param access rights of the peer
   * @return the binding
   */
  public static MemoryWindowBinding of(
      FastRegistrationRegion region, long offset, long length, AccessFlags access) {
    return new MemoryWindowBinding(
        region.protectionDomain(), region.lkey(), region.address() + offset, length, access);
  }
}
