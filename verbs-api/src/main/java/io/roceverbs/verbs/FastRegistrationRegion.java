package io.roceverbs.verbs;

import java.nio.ByteBuffer;

/**
 * A region that work requests register and invalidate: kernel {@code struct ib_mr} of {@code
 * ib_alloc_mr()}, known as FRWR. User-space verbs have no counterpart.
 *
 * <p>Its life is a cycle, cheap enough to run once for every I/O:
 *
 * <pre>{@code
 * int key = region.nextKey();        // so that a stale access with the old key stays outside
 * region.map(data);                  // software only
 * queuePair.post(request.reset(1).registerMemory(region, key, access));
 * // from free to registered: the peer may use region.address() and key
 * queuePair.post(request.reset(2).localInvalidate(key).fenced().signaled());
 * // once this has completed: from registered to free, the buffer is the program's again
 * }</pre>
 *
 * <p>A SEND_WITH_INV of the peer does the last step as well. {@link #map} must not be called while
 * the region is registered. If the queue pair fails, pending registrations and invalidations are
 * flushed, and the state of the region is not known: close it.
 *
 * <p>All methods may be called from any thread, but one program step at a time: mapping and posting
 * are not atomic together.
 *
 * <p>Source: Linux {@code ib_alloc_mr}, {@code ib_map_mr_sg}, {@code ib_update_fast_reg_key} in
 * {@code drivers/infiniband/core/verbs.c} and {@code include/rdma/ib_verbs.h}.
 */
public interface FastRegistrationRegion extends AutoCloseable {
  /** Page size of a mapping in bytes. */
  int PAGE_BYTES = 4096;

  /** {@return the protection domain of this region} */
  ProtectionDomain protectionDomain();

  /** {@return the current {@code lkey}} */
  int lkey();

  /** {@return the current {@code rkey}} */
  int rkey();

  /**
   * Steps to the next key: {@code ib_update_fast_reg_key(mr, ib_inc_rkey(mr->rkey))}. The upper 24
   * bits stay, the low byte grows by one, modulo 256.
   *
   * @return the new key, which {@link #lkey()} and {@link #rkey()} return from now on; it reaches
   *     memory once a REG_MR with it has executed
   * @throws VerbsException EINVAL if the region is closed
   */
  int nextKey();

  /**
   * Chooses the memory of the next registration: {@code ib_map_mr_sg()}. The provider chooses the
   * I/O virtual address.
   *
   * @param segments heap or direct buffers, from position to limit at this call, laid end to end.
   *     Each but the last must be a multiple of {@link #PAGE_BYTES} long; those behind one that is
   *     not, or behind the last page of {@link #pagesMax()}, are not mapped
   * @return how many segments were mapped; fewer than given is no error here, so compare
   * @throws VerbsException EINVAL if there is no segment, one is empty, or the region is closed;
   *     ENOMEM if the first segment alone has more pages than the region takes
   */
  int map(ByteBuffer... segments);

  /**
   * Chooses the memory of the next registration and the address of its first byte: {@code
   * ib_map_mr_sg()}, then {@code mr->iova = ...}.
   *
   * @param ioVirtualAddress address of the first byte in work requests of both sides
   * @param segments as for {@link #map(ByteBuffer...)}
   * @return how many segments were mapped
   * @throws VerbsException as for {@link #map(ByteBuffer...)}; also EINVAL if the range would wrap
   *     around the end of the 64-bit address space
   */
  int map(long ioVirtualAddress, ByteBuffer... segments);

  /**
   * {@return the I/O virtual address of the first byte of the mapping; 0 before the first {@link
   * #map}}
   */
  long address();

  /** {@return the length of the mapping in bytes; 0 before the first {@link #map}} */
  long length();

  /**
   * {@return how many pages of {@link #PAGE_BYTES} a mapping may cover: the {@code max_num_sg}
   * given at the allocation}
   */
  int pagesMax();

  /** {@return true until {@link #close()} has succeeded} */
  boolean isOpen();

  /**
   * Gives the region back: kernel {@code ib_dereg_mr()}. Closing twice has no effect. Legal in
   * every state, registered or not.
   *
   * @throws VerbsException EINVAL, with nothing changed, while a window is bound to the region
   */
  @Override
  void close();
}
