package io.roceverbs.verbs;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A request for the send queue: {@code struct ibv_send_wr}, kernel {@code struct ib_send_wr} with
 * its relatives {@code ib_rdma_wr}, {@code ib_atomic_wr} and {@code ib_reg_wr}.
 *
 * <p>Each operation is one method that takes exactly the fields of that operation, so none can be
 * forgotten or left over; segments, flags and the chain are added to it in any order:
 *
 * <pre>{@code
 * queuePair.post(request.reset(id).rdmaWrite(address, rkey).segment(memory, 0, 4096).signaled());
 * }</pre>
 *
 * <p>The object is reusable and allocates nothing once warm. {@link QueuePair#post(SendRequest)}
 * copies the whole chain, so each request may be reset and used again as soon as the call returns.
 * The <em>memory</em> its segments name is another matter: it belongs to the adapter, which may
 * read it again for a retransmission, until the completion of this request, or of a later one of
 * the same queue, has been polled. Inline data is copied by the post and free at once.
 *
 * <p>Mistakes that the compiler cannot see, such as two operations in one request, are an
 * IllegalStateException here; what a device would refuse is refused by the post, and what a device
 * finds out later ends in the completion.
 *
 * <p>Not thread-safe: one thread at a time fills and posts a request.
 *
 * <p>Source: ibv_post_send(3); REG_MR: Linux {@code include/rdma/ib_verbs.h}.
 */
public final class SendRequest {
  /** More pieces than this are a request that was never reset. */
  private static final int INLINE_PIECES_MAX = SegmentList.SEGMENTS_MAX;

  private static final int INLINE_INITIAL_CAPACITY = 2;

  private final SegmentList segments = new SegmentList();
  private @Nullable ByteBuffer[] inlinePieces = new @Nullable ByteBuffer[INLINE_INITIAL_CAPACITY];
  private int inlineCount;

  private long id;
  private @Nullable SendOpcode opcode;
  private int flags;
  private long remoteAddress;
  private int rkey;
  private int immediate;
  private int invalidateKey;
  private long compare;
  private long swapOrAdd;
  private @Nullable AddressHandle addressHandle;
  private int remoteQueuePairNumber;
  private int remoteQueueKey;
  private int sharedReceiveQueueNumber;
  private @Nullable FastRegistrationRegion registrationRegion;
  private int registrationKey;
  private AccessFlags registrationAccess = AccessFlags.NONE;
  private @Nullable MemoryWindow memoryWindow;
  private int memoryWindowRkey;
  private MemoryWindowBinding memoryWindowBinding = MemoryWindowBinding.NONE;
  private @Nullable SendRequest next;

  /** Makes an empty request with id 0 and no operation. */
  public SendRequest() {}

  /**
   * Clears everything and begins a new request.
   *
   * @param id the {@code wr_id}: any number, given back by {@link WorkCompletion#id()}
   * @return this request
   */
  public SendRequest reset(long id) {
    this.id = id;
    segments.clear();
    Arrays.fill(inlinePieces, 0, inlineCount, null);
    inlineCount = 0;
    opcode = null;
    flags = 0;
    remoteAddress = 0;
    rkey = 0;
    immediate = 0;
    invalidateKey = 0;
    compare = 0;
    swapOrAdd = 0;
    addressHandle = null;
    remoteQueuePairNumber = 0;
    remoteQueueKey = 0;
    sharedReceiveQueueNumber = 0;
    if (registrationRegion != null) {
      registrationRegion = null;
      registrationAccess = AccessFlags.NONE;
    }
    registrationKey = 0;
    if (memoryWindow != null) {
      memoryWindow = null;
      memoryWindowBinding = MemoryWindowBinding.NONE;
    }
    memoryWindowRkey = 0;
    next = null;
    return this;
  }

  /**
   * Makes this a SEND: {@code IBV_WR_SEND}.
   *
   * @return this request
   * @throws IllegalStateException if the request already has an operation
   */
  public SendRequest send() {
    return operation(SendOpcode.SEND);
  }

  /**
   * Makes this a SEND with immediate: {@code IBV_WR_SEND_WITH_IMM}.
   *
   * @param immediate 32 bits for the peer's completion; the number is sent big-endian and read back
   *     as the same number
   * @return this request
   * @throws IllegalStateException if the request already has an operation
   */
  public SendRequest sendWithImmediate(int immediate) {
    operation(SendOpcode.SEND_WITH_IMM);
    this.immediate = immediate;
    return this;
  }

  /**
   * Makes this a SEND that takes one of the peer's keys out of use: {@code IBV_WR_SEND_WITH_INV}.
   *
   * <p>A success tells only that the SEND was acknowledged. If the peer's adapter may not
   * invalidate the key, the peer's receive fails and later requests of this queue run into
   * RETRY_EXC_ERR.
   *
   * @param rkey remote key of a fast registration region or of a window of type 2 of the peer; not
   *     checked on this side
   * @return this request
   * @throws IllegalStateException if the request already has an operation
   */
  public SendRequest sendWithInvalidate(int rkey) {
    operation(SendOpcode.SEND_WITH_INV);
    this.invalidateKey = rkey;
    return this;
  }

  /**
   * Makes this an RDMA WRITE: {@code IBV_WR_RDMA_WRITE}.
   *
   * @param remoteAddress I/O virtual address of the first byte at the peer
   * @param rkey remote key that allows the peer's adapter to write there
   * @return this request
   * @throws IllegalStateException if the request already has an operation
   */
  public SendRequest rdmaWrite(long remoteAddress, int rkey) {
    return remoteOperation(SendOpcode.RDMA_WRITE, remoteAddress, rkey);
  }

  /**
   * Makes this an RDMA WRITE with immediate: {@code IBV_WR_RDMA_WRITE_WITH_IMM}. It takes a receive
   * of the peer.
   *
   * @param remoteAddress I/O virtual address of the first byte at the peer
   * @param rkey remote key that allows the peer's adapter to write there
   * @param immediate 32 bits for the peer's completion
   * @return this request
   * @throws IllegalStateException if the request already has an operation
   */
  public SendRequest rdmaWriteWithImmediate(long remoteAddress, int rkey, int immediate) {
    remoteOperation(SendOpcode.RDMA_WRITE_WITH_IMM, remoteAddress, rkey);
    this.immediate = immediate;
    return this;
  }

  /**
   * Makes this an RDMA READ: {@code IBV_WR_RDMA_READ}. The segments are where the data goes; they
   * need LOCAL_WRITE.
   *
   * @param remoteAddress I/O virtual address of the first byte at the peer
   * @param rkey remote key that allows the peer's adapter to read there
   * @return this request
   * @throws IllegalStateException if the request already has an operation
   */
  public SendRequest rdmaRead(long remoteAddress, int rkey) {
    return remoteOperation(SendOpcode.RDMA_READ, remoteAddress, rkey);
  }

  /**
   * Makes this a compare-and-swap: {@code IBV_WR_ATOMIC_CMP_AND_SWP}. The segments, 8 bytes in all,
   * get the old value.
   *
   * @param remoteAddress I/O virtual address of 8 bytes at the peer, a multiple of 8
   * @param rkey remote key that allows atomics there
   * @param compare the old value to look for
   * @param swap the new value
   * @return this request
   * @throws IllegalStateException if the request already has an operation
   */
  public SendRequest compareAndSwap(long remoteAddress, int rkey, long compare, long swap) {
    remoteOperation(SendOpcode.ATOMIC_CMP_AND_SWP, remoteAddress, rkey);
    this.compare = compare;
    this.swapOrAdd = swap;
    return this;
  }

  /**
   * Makes this a fetch-and-add: {@code IBV_WR_ATOMIC_FETCH_AND_ADD}. The segments, 8 bytes in all,
   * get the old value.
   *
   * @param remoteAddress I/O virtual address of 8 bytes at the peer, a multiple of 8
   * @param rkey remote key that allows atomics there
   * @param add the number to add, modulo 2<sup>64</sup>
   * @return this request
   * @throws IllegalStateException if the request already has an operation
   */
  public SendRequest fetchAndAdd(long remoteAddress, int rkey, long add) {
    remoteOperation(SendOpcode.ATOMIC_FETCH_AND_ADD, remoteAddress, rkey);
    this.swapOrAdd = add;
    return this;
  }

  /**
   * Makes this a local invalidate: {@code IBV_WR_LOCAL_INV}. Without {@link #fenced()} it may take
   * effect while earlier requests are still unacknowledged, and their retransmission then finds the
   * key dead.
   *
   * @param key the current key of a registered fast registration region or of a bound window of
   *     type 2
   * @return this request
   * @throws IllegalStateException if the request already has an operation
   */
  public SendRequest localInvalidate(int key) {
    operation(SendOpcode.LOCAL_INV);
    this.invalidateKey = key;
    return this;
  }

  /**
   * Makes this a fast registration: kernel {@code IB_WR_REG_MR}, {@code struct ib_reg_wr}. Requests
   * behind it in the same queue may use the key at once.
   *
   * @param region a region that is mapped and not registered
   * @param key the key to register under, usually {@link FastRegistrationRegion#nextKey()}; becomes
   *     lkey and rkey
   * @param access rights of the registration
   * @return this request
   * @throws IllegalStateException if the request already has an operation
   */
  public SendRequest registerMemory(FastRegistrationRegion region, int key, AccessFlags access) {
    operation(SendOpcode.REG_MR);
    this.registrationRegion = region;
    this.registrationKey = key;
    this.registrationAccess = access;
    return this;
  }

  /**
   * Makes this a fast registration with the rights listed. It makes a new {@link AccessFlags}; keep
   * one and pass it where each byte of garbage counts.
   *
   * @param region a region that is mapped and not registered
   * @param key the key to register under
   * @param access rights of the registration
   * @return this request
   * @throws IllegalStateException if the request already has an operation
   */
  public SendRequest registerMemory(FastRegistrationRegion region, int key, AccessFlag... access) {
    return registerMemory(region, key, AccessFlags.of(access));
  }

  /**
   * Makes this a binding of a memory window: {@code IBV_WR_BIND_MW}. Requests behind it in the same
   * queue may use the key at once.
   *
   * @param window a window of type 2 that is not bound
   * @param rkey the key to bind under, usually {@link MemoryWindow#nextRkey()}; its upper 24 bits
   *     are the window's, its low byte is free
   * @param binding the part of a region, and the rights of the peer
   * @return this request
   * @throws IllegalStateException if the request already has an operation
   */
  public SendRequest bindMemoryWindow(MemoryWindow window, int rkey, MemoryWindowBinding binding) {
    operation(SendOpcode.BIND_MW);
    this.memoryWindow = window;
    this.memoryWindowRkey = rkey;
    this.memoryWindowBinding = binding;
    return this;
  }

  private SendRequest remoteOperation(SendOpcode operation, long address, int key) {
    operation(operation);
    this.remoteAddress = address;
    this.rkey = key;
    return this;
  }

  private SendRequest operation(SendOpcode operation) {
    if (opcode != null) {
      throw new IllegalStateException(
          "request "
              + id
              + " is already "
              + opcode
              + ", so it cannot become "
              + operation
              + "; call reset(id) first, or chain a second request with next(...)");
    }
    opcode = operation;
    return this;
  }

  /**
   * Says where a datagram goes: {@code wr.ud}. Every request of a UD queue pair needs it.
   *
   * @param handle the way to the port
   * @param queuePairNumber {@code remote_qpn}: the queue pair there, 24 bits; 0xffffff for a
   *     multicast group
   * @param queueKey {@code remote_qkey}: the Q_Key of that queue pair; with bit 31 set, the one of
   *     the sending queue pair is sent instead
   * @return this request
   */
  public SendRequest to(AddressHandle handle, int queuePairNumber, int queueKey) {
    addressHandle = handle;
    remoteQueuePairNumber = queuePairNumber;
    remoteQueueKey = queueKey;
    return this;
  }

  /**
   * Says which shared receive queue a request is for: {@code qp_type.xrc.remote_srqn}. Every
   * request of an XRC_SEND queue pair needs it, those that take no receive too: the peer looks up
   * keys in the protection domain of that queue.
   *
   * @param number {@link SharedReceiveQueue#number()} at the peer, 24 bits
   * @return this request
   */
  public SendRequest toSharedReceiveQueue(int number) {
    sharedReceiveQueueNumber = number;
    return this;
  }

  /**
   * Adds a piece of a region to the gather list (for READ and atomics: to the scatter list).
   *
   * @param region the region
   * @param offset first byte, counted from the first byte of the region
   * @param length number of bytes, an unsigned 32-bit number. Neither it nor the offset is checked
   *     here: as on a device a piece outside the region completes with LOC_PROT_ERR
   * @return this request
   * @throws IllegalStateException if the request already has inline data
   */
  public SendRequest segment(MemoryRegion region, long offset, int length) {
    return segment(region.address() + offset, length, region.lkey());
  }

  /**
   * Adds a piece of a fast registration region, under its current key and mapping.
   *
   * @param region the region, which must be registered when the adapter reaches this request
   * @param offset first byte, counted from the first byte of the mapping
   * @param length number of bytes, an unsigned 32-bit number; not checked here
   * @return this request
   * @throws IllegalStateException if the request already has inline data
   */
  public SendRequest segment(FastRegistrationRegion region, long offset, int length) {
    return segment(region.address() + offset, length, region.lkey());
  }

  /**
   * Adds a piece by address and key: a plain {@code struct ibv_sge}.
   *
   * @param address I/O virtual address of the first byte
   * @param length number of bytes, an unsigned 32-bit number
   * @param lkey local key that covers the bytes; not checked here
   * @return this request
   * @throws IllegalStateException if the request already has inline data
   */
  public SendRequest segment(long address, int length, int lkey) {
    if (inlineCount != 0) {
      throw mixed();
    }
    segments.add(address, length, lkey);
    return this;
  }

  /**
   * Adds bytes to copy at the post: {@code IBV_SEND_INLINE}. Legal for SEND and WRITE operations;
   * all pieces together may not be longer than {@link QueuePairCapacities#maxInlineBytes()}.
   *
   * @param data the bytes from position to limit at the time of the post, which leaves both where
   *     they are
   * @return this request
   * @throws IllegalStateException if the request already has segments
   */
  public SendRequest inlineData(ByteBuffer data) {
    if (segments.count() != 0) {
      throw mixed();
    }
    if (inlineCount == inlinePieces.length) {
      growInlinePieces();
    }
    inlinePieces[inlineCount++] = data;
    flags |= SendFlag.INLINE.value();
    return this;
  }

  private void growInlinePieces() {
    if (inlineCount == INLINE_PIECES_MAX) {
      throw new IllegalStateException(
          "a request holds at most " + INLINE_PIECES_MAX + " pieces; was reset(id) forgotten?");
    }
    inlinePieces = Arrays.copyOf(inlinePieces, 2 * inlineCount);
  }

  private IllegalStateException mixed() {
    return new IllegalStateException(
        "request " + id + " would mix inline data and segments; INLINE holds for a whole request");
  }

  /**
   * Asks for a completion on success: {@code IBV_SEND_SIGNALED}. Errors and flushes always make
   * one.
   *
   * @return this request
   */
  public SendRequest signaled() {
    return flag(SendFlag.SIGNALED);
  }

  /**
   * Makes this request wait for all earlier READs and atomics of the queue: {@code IBV_SEND_FENCE}.
   * A local invalidate with a fence waits for all earlier requests of any kind.
   *
   * @return this request
   */
  public SendRequest fenced() {
    return flag(SendFlag.FENCE);
  }

  /**
   * Marks the message as solicited: {@code IBV_SEND_SOLICITED}. Means something for SEND operations
   * and WRITE with immediate.
   *
   * @return this request
   */
  public SendRequest solicited() {
    return flag(SendFlag.SOLICITED);
  }

  /**
   * Asks the device to compute the checksums of the IP packet inside the message: {@code
   * IBV_SEND_IP_CSUM}. Has no effect where the capability for the type of queue pair is missing.
   *
   * @return this request
   */
  public SendRequest ipChecksum() {
    return flag(SendFlag.IP_CSUM);
  }

  private SendRequest flag(SendFlag flag) {
    flags |= flag.value();
    return this;
  }

  /**
   * Chains another request behind this one; one post takes the whole chain in order.
   *
   * @param request the request to post after this one; replaces an earlier choice
   * @return this request
   * @throws IllegalArgumentException if the chain would lead back to this request
   */
  public SendRequest next(SendRequest request) {
    for (SendRequest r = request; r != null; r = r.next) {
      if (r == this) {
        throw new IllegalArgumentException(
            "request " + id + " is already in that chain; link each request once");
      }
    }
    next = request;
    return this;
  }

  /** {@return the id of this request, its {@code wr_id}} */
  public long id() {
    return id;
  }

  /** {@return the opcode, or null if none was chosen, which a post refuses with EINVAL} */
  public @Nullable SendOpcode opcode() {
    return opcode;
  }

  /**
   * {@return the flags: the OR of {@link SendFlag} values; INLINE is among them once {@link
   * #inlineData(ByteBuffer)} was called}
   */
  public int flags() {
    return flags;
  }

  /**
   * Tells whether a flag is set.
   *
   * @param flag the flag to look for
   * @return true if it is set
   */
  public boolean hasFlag(SendFlag flag) {
    return (flags & flag.value()) != 0;
  }

  /** {@return how many segments there are: the {@code num_sge} of a request without inline data} */
  public int segmentCount() {
    return segments.count();
  }

  /**
   * Returns where a segment begins.
   *
   * @param index 0 to {@code segmentCount() - 1}
   * @return its I/O virtual address
   * @throws IndexOutOfBoundsException if there is no such segment
   */
  public long segmentAddress(int index) {
    return segments.address(index);
  }

  /**
   * Returns how long a segment is.
   *
   * @param index 0 to {@code segmentCount() - 1}
   * @return its length in bytes, 0 to 2<sup>32</sup> - 1
   * @throws IndexOutOfBoundsException if there is no such segment
   */
  public long segmentLength(int index) {
    return segments.length(index);
  }

  /**
   * Returns the key of a segment.
   *
   * @param index 0 to {@code segmentCount() - 1}
   * @return its local key
   * @throws IndexOutOfBoundsException if there is no such segment
   */
  public int segmentLkey(int index) {
    return segments.lkey(index);
  }

  /** {@return how many pieces of inline data there are: the {@code num_sge} of such a request} */
  public int inlineCount() {
    return inlineCount;
  }

  /**
   * Returns a piece of inline data.
   *
   * @param index 0 to {@code inlineCount() - 1}
   * @return the program's own buffer: read from position to limit and leave both unchanged
   * @throws IndexOutOfBoundsException if there is no such piece
   */
  public ByteBuffer inlineData(int index) {
    ByteBuffer data = index >= 0 && index < inlineCount ? inlinePieces[index] : null;
    if (data == null) {
      throw new IndexOutOfBoundsException("inline piece " + index + " of " + inlineCount);
    }
    return data;
  }

  /** {@return the I/O virtual address at the peer; 0 for operations without one} */
  public long remoteAddress() {
    return remoteAddress;
  }

  /** {@return the remote key of a WRITE, READ or atomic; 0 for other operations} */
  public int rkey() {
    return rkey;
  }

  /** {@return the 32 bits of an operation with immediate; 0 for other operations} */
  public int immediate() {
    return immediate;
  }

  /**
   * {@return the peer's key for SEND_WITH_INV, the own key for LOCAL_INV, 0 for other operations}
   */
  public int invalidateKey() {
    return invalidateKey;
  }

  /** {@return the value a compare-and-swap looks for; 0 for other operations} */
  public long compare() {
    return compare;
  }

  /** {@return the value an atomic swaps in or adds; 0 for other operations} */
  public long swapOrAdd() {
    return swapOrAdd;
  }

  /** {@return the way of a datagram; null if none was named} */
  public @Nullable AddressHandle addressHandle() {
    return addressHandle;
  }

  /** {@return the number of the queue pair that a datagram goes to; 0 if none was named} */
  public int remoteQueuePairNumber() {
    return remoteQueuePairNumber;
  }

  /** {@return the Q_Key of a datagram; 0 if none was named} */
  public int remoteQueueKey() {
    return remoteQueueKey;
  }

  /** {@return the shared receive queue that an XRC request is for; 0 if none was named} */
  public int sharedReceiveQueueNumber() {
    return sharedReceiveQueueNumber;
  }

  /** {@return the region of a REG_MR; null for other operations} */
  public @Nullable FastRegistrationRegion registrationRegion() {
    return registrationRegion;
  }

  /** {@return the key of a REG_MR; 0 for other operations} */
  public int registrationKey() {
    return registrationKey;
  }

  /** {@return the access of a REG_MR; {@link AccessFlags#NONE} for other operations} */
  public AccessFlags registrationAccess() {
    return registrationAccess;
  }

  /** {@return the window of a BIND_MW; null for other operations} */
  public @Nullable MemoryWindow memoryWindow() {
    return memoryWindow;
  }

  /** {@return the new key of a BIND_MW; 0 for other operations} */
  public int memoryWindowRkey() {
    return memoryWindowRkey;
  }

  /** {@return what a BIND_MW binds to; {@link MemoryWindowBinding#NONE} for other operations} */
  public MemoryWindowBinding memoryWindowBinding() {
    return memoryWindowBinding;
  }

  /** {@return the next request, or null at the end of the chain} */
  public @Nullable SendRequest next() {
    return next;
  }

  @Override
  public String toString() {
    return "SendRequest[id=" + id + ", opcode=" + opcode + ", segments=" + segmentCount() + "]";
  }
}
