package io.roceverbs.verbs;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What {@link MemoryRegion#reregister} is to change: the {@code flags} of {@code ibv_rereg_mr()}
 * with their values. What is null stays as it is.
 *
 * <pre>{@code
 * region.reregister(MemoryRegionChange.NONE.withAccess(AccessFlags.of(LOCAL_WRITE)).withBuffer(other));
 * }</pre>
 *
 * <p>Source: ibv_rereg_mr(3).
 *
 * @param buffer {@code IBV_REREG_MR_CHANGE_TRANSLATION}: the memory from now on, from position to
 *     limit at the call; the region gets a new address, unless it is zero-based
 * @param protectionDomain {@code IBV_REREG_MR_CHANGE_PD}: the domain from now on
 * @param access {@code IBV_REREG_MR_CHANGE_ACCESS}: the rights from now on
 */
public record MemoryRegionChange(
    @Nullable ByteBuffer buffer,
    @Nullable ProtectionDomain protectionDomain,
    @Nullable AccessFlags access) {
  /** Changes nothing, which is EINVAL; a start for the methods that add something. */
  public static final MemoryRegionChange NONE = new MemoryRegionChange(null, null, null);

  /**
   * The same with other memory.
   *
   * @param newBuffer heap or direct
   * @return a new change
   */
  public MemoryRegionChange withBuffer(ByteBuffer newBuffer) {
    return new MemoryRegionChange(newBuffer, protectionDomain, access);
  }

  /**
   * The same with another domain.
   *
   * @param newDomain a domain of the same context
   * @return a new change
   */
  public MemoryRegionChange withProtectionDomain(ProtectionDomain newDomain) {
    return new MemoryRegionChange(buffer, newDomain, access);
  }

  /**
   * The same with other rights.
   *
   * @param newAccess all rights
   * @return a new change
   */
  public MemoryRegionChange withAccess(AccessFlags newAccess) {
    return new MemoryRegionChange(buffer, protectionDomain, newAccess);
  }
}
