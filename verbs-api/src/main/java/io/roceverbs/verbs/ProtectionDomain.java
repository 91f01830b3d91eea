package io.roceverbs.verbs;

import java.nio.ByteBuffer;

/**
 * A group of memory and queue pairs that may work together: {@code struct ibv_pd}, kernel {@code
 * struct ib_pd}. A queue pair reaches only regions of its own domain, for local as for remote
 * access.
 *
 * <p>All methods may be called from any thread. Registering memory and making queue pairs throws a
 * {@link VerbsException} with EINVAL once the domain is closed.
 *
 * <p>Source: ibv_alloc_pd(3), ibv_reg_mr(3), ibv_create_qp(3).
 */
public interface ProtectionDomain extends AutoCloseable {
  /** {@return the context this domain was allocated on} */
  DeviceContext context();

  /**
   * Registers memory: {@code ibv_reg_mr()}, as {@link #registerMemory(ByteBuffer, AccessFlags)}.
   *
   * @param buffer the bytes from position to limit
   * @param access rights; none makes a region for local reading
   * @return a region that can be used at once
   * @throws VerbsException as {@link #registerMemory(ByteBuffer, AccessFlags)}
   */
  MemoryRegion registerMemory(ByteBuffer buffer, AccessFlag... access);

  /**
   * Registers memory: {@code ibv_reg_mr()}. The provider chooses the I/O virtual address.
   *
   * @param buffer heap or direct; the bytes from position to limit at this call. Later changes of
   *     position and limit have no effect; the buffer's bytes are the region's bytes, not a copy. A
   *     read-only buffer cannot have LOCAL_WRITE
   * @param access rights
   * @return a region that can be used at once
   * @throws VerbsException EINVAL if no byte remains in the buffer, if a remote write or atomic
   *     right comes without LOCAL_WRITE, or for an unknown right; EOPNOTSUPP for a right that the
   *     device does not have; ENOMEM if the device has no further region
   */
  MemoryRegion registerMemory(ByteBuffer buffer, AccessFlags access);

  /**
   * Registers memory under an address of the program's choice: {@code ibv_reg_mr_iova()}.
   *
   * @param buffer the bytes from position to limit at this call
   * @param ioVirtualAddress address of the first byte in work requests of both sides
   * @param access rights
   * @return a region that can be used at once
   * @throws VerbsException as {@link #registerMemory(ByteBuffer, AccessFlags)}; also EINVAL if the
   *     range would wrap around the end of the 64-bit address space
   */
  MemoryRegion registerMemory(ByteBuffer buffer, long ioVirtualAddress, AccessFlags access);

  /**
   * Makes a region without memory, for local use: {@code ibv_alloc_null_mr()}. It has every
   * address; what is read there is 0, and what is written is discarded.
   *
   * @return a region that can be used at once
   * @throws VerbsException ENOMEM if the device has no further region
   */
  MemoryRegion allocateNullMemoryRegion();

  /**
   * Registers memory of the device: {@code ibv_reg_dm_mr()}.
   *
   * @param memory the memory
   * @param offset first byte of the region, counted from the first byte of the memory
   * @param length number of bytes, 1 or more
   * @param access rights, with ZERO_BASED
   * @return a region that can be used at once; its addresses count from 0
   * @throws VerbsException EINVAL if the memory is closed or of another context, the range leaves
   *     it, ZERO_BASED is missing, or as {@link #registerMemory(ByteBuffer, AccessFlags)};
   *     EOPNOTSUPP and ENOMEM as there
   */
  MemoryRegion registerDeviceMemory(
      DeviceMemory memory, long offset, long length, AccessFlags access);

  /**
   * Allocates a memory window: {@code ibv_alloc_mw()}. It is not bound.
   *
   * @param type how it is bound and used
   * @return an open window
   * @throws VerbsException EOPNOTSUPP without the capability that the type needs; ENOMEM if the
   *     device has no further window
   */
  MemoryWindow allocateMemoryWindow(MemoryWindowType type);

  /**
   * Allocates a region for registration by work requests: kernel {@code ib_alloc_mr()} with {@code
   * IB_MR_TYPE_MEM_REG}.
   *
   * @param pagesMax the {@code max_num_sg}: pages of {@link FastRegistrationRegion#PAGE_BYTES} that
   *     a mapping may cover
   * @return a region that is not registered
   * @throws VerbsException EINVAL if the number is less than 1 or more than {@link
   *     DeviceAttributes#maxFastRegistrationPages()}; EOPNOTSUPP without the capability
   *     MEM_MGT_EXTENSIONS; ENOMEM if the device has no further region
   */
  FastRegistrationRegion allocateFastRegistrationRegion(int pagesMax);

  /**
   * Makes a queue pair: {@code ibv_create_qp()}. It begins in RESET.
   *
   * @param init type, completion queues and sizes
   * @return an open queue pair
   * @throws VerbsException EINVAL if the type is XRC_RECV, which an {@link XrcDomain} makes, or
   *     XRC_SEND with a shared receive queue, if a size is more than the device offers, or a
   *     completion queue is closed or belongs to another context; EOPNOTSUPP if a queue pair of
   *     this type, or the device, does not have one of the send operations, or for XRC_SEND without
   *     the capability XRC; ENOMEM if the device has no further queue pair
   */
  QueuePair createQueuePair(QueuePairInit init);

  /**
   * Makes a shared receive queue: {@code ibv_create_srq()}.
   *
   * @param maxRequests receives at a time
   * @param maxSegments segments in one receive
   * @return an open queue without a limit
   * @throws VerbsException EINVAL if a size is less than 1 request or 0 segments, or more than the
   *     device offers; ENOMEM if the device has no further queue
   */
  SharedReceiveQueue createSharedReceiveQueue(int maxRequests, int maxSegments);

  /**
   * Makes a shared receive queue for the targets of an XRC domain: {@code ibv_create_srq_ex()} with
   * type {@code IBV_SRQT_XRC}.
   *
   * @param domain whose targets deliver into it
   * @param completions where completions of its receives go
   * @param maxRequests receives at a time
   * @param maxSegments segments in one receive
   * @return an open queue without a limit
   * @throws VerbsException EINVAL if a size is less than 1 request or 0 segments, or more than the
   *     device offers, or an object is closed or of another context; ENOMEM if the device has no
   *     further queue
   */
  SharedReceiveQueue createXrcSharedReceiveQueue(
      XrcDomain domain, CompletionQueue completions, int maxRequests, int maxSegments);

  /**
   * Makes an address handle for datagrams: {@code ibv_create_ah()}.
   *
   * @param vector where it is to lead
   * @return an open handle
   * @throws VerbsException EINVAL if the port or the source GID does not exist, or the source and
   *     the destination are of different IP versions; ENOMEM if the device has no further handle
   */
  AddressHandle createAddressHandle(AddressVector vector);

  /**
   * Makes an address handle that leads back to where a datagram came from: {@code
   * ibv_create_ah_from_wc()}.
   *
   * @param received the completion of the datagram
   * @param globalRouteHeader the first 40 bytes of its receive, from the position on
   * @param port own port that it came to, counted from 1
   * @return an open handle
   * @throws VerbsException EINVAL if the completion has no global route header, or the bytes hold
   *     neither an IPv6 nor an IPv4 header to an address of this port; ENOMEM if the device has no
   *     further handle
   */
  AddressHandle createAddressHandle(
      WorkCompletion received, ByteBuffer globalRouteHeader, int port);

  /**
   * Makes a parent domain of this one: {@code ibv_alloc_parent_domain()} without a thread domain
   * and without allocators. It is used wherever a protection domain is, and what is made on it
   * works together with what is made on this one.
   *
   * @return an open domain, which keeps this one busy
   * @throws VerbsException ENOMEM if the device has no further domain
   */
  ProtectionDomain allocateParentDomain();

  /**
   * Makes a parent domain of this one with a thread domain; else as {@link
   * #allocateParentDomain()}. The program promises that one thread at a time uses the queues that
   * are made on it.
   *
   * @param threadDomain an open thread domain of the same context
   * @return an open domain, which keeps this one and the thread domain busy
   * @throws VerbsException EINVAL if the thread domain is closed or belongs to another context;
   *     ENOMEM if the device has no further domain
   */
  ProtectionDomain allocateParentDomain(ThreadDomain threadDomain);

  /** {@return true until {@link #close()} has succeeded} */
  boolean isOpen();

  /**
   * Closes the domain: {@code ibv_dealloc_pd()}. Closing twice has no effect.
   *
   * @throws VerbsException EBUSY, with nothing changed, while a region, a window, a queue, an
   *     address handle or a parent domain of this domain is open
   */
  @Override
  void close();
}
