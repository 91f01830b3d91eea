package io.roceverbs.verbs;

import java.nio.ByteBuffer;

/**
 * Memory of the device itself: {@code struct ibv_dm}. A program reaches it by copies only; work
 * requests reach it through a region of {@link ProtectionDomain#registerDeviceMemory}.
 *
 * <p>All methods may be called from any thread. The copies throw a {@link VerbsException} with
 * EINVAL once the memory is given back.
 *
 * <p>Source: ibv_alloc_dm(3).
 */
public interface DeviceMemory extends AutoCloseable {
  /** Offsets and lengths of copies are multiples of this many bytes. */
  int ALIGNMENT_BYTES = 4;

  /** {@return the context this memory was allocated on} */
  DeviceContext context();

  /** {@return the length in bytes} */
  long length();

  /**
   * Copies into the device: {@code ibv_memcpy_to_dm()}.
   *
   * @param offset first byte, counted from the first byte of this memory; a multiple of {@link
   *     #ALIGNMENT_BYTES}
   * @param source the bytes from position to limit, a multiple of {@link #ALIGNMENT_BYTES}; both
   *     stay where they are
   * @throws VerbsException EINVAL, with nothing copied, if the offset or the length is not aligned,
   *     or the range leaves the memory
   */
  void copyIn(long offset, ByteBuffer source);

  /**
   * Copies out of the device: {@code ibv_memcpy_from_dm()}.
   *
   * @param offset first byte, counted from the first byte of this memory; a multiple of {@link
   *     #ALIGNMENT_BYTES}
   * @param target is filled from position to limit, a multiple of {@link #ALIGNMENT_BYTES}; both
   *     stay where they are
   * @throws VerbsException EINVAL, with nothing copied, if the offset or the length is not aligned,
   *     or the range leaves the memory
   */
  void copyOut(long offset, ByteBuffer target);

  /** {@return true until {@link #close()} has succeeded} */
  boolean isOpen();

  /**
   * Gives the memory back: {@code ibv_free_dm()}. Closing twice has no effect.
   *
   * @throws VerbsException EBUSY, with nothing changed, while a region over it is open
   */
  @Override
  void close();
}
