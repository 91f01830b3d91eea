package io.roceverbs.verbs;

import org.jspecify.annotations.Nullable;

/**
 * An opened device: {@code struct ibv_context}. It is the root of the object tree: protection
 * domains, completion channels and completion queues are its children.
 *
 * <p>All methods may be called from any thread. Every method but {@link #close()}, {@link
 * #isOpen()} and {@link #device()} throws a {@link VerbsException} with EINVAL once the context is
 * closed.
 *
 * <p>Source: ibv_open_device(3).
 */
public interface DeviceContext extends AutoCloseable {
  /** {@return the device this context was opened on} */
  Device device();

  /**
   * Asks for the limits and features of the device: {@code ibv_query_device()}.
   *
   * @return the attributes
   */
  DeviceAttributes queryDevice();

  /**
   * Asks for the state of a port: {@code ibv_query_port()}.
   *
   * @param port port number, counted from 1
   * @return the attributes at this moment
   * @throws VerbsException EINVAL if there is no such port
   */
  PortAttributes queryPort(int port);

  /**
   * Asks for an entry of the GID table of a port: {@code ibv_query_gid()}.
   *
   * @param port port number, counted from 1
   * @param index index into the table, counted from 0
   * @return the address
   * @throws VerbsException EINVAL if there is no such port or the index is outside the table,
   *     ENODATA if the entry is empty
   */
  Gid queryGid(int port, int index);

  /**
   * Asks for an entry of the GID table with all that is known of it: {@code ibv_query_gid_ex()}.
   *
   * @param port port number, counted from 1
   * @param index index into the table, counted from 0
   * @return the entry
   * @throws VerbsException EINVAL if there is no such port or the index is outside the table,
   *     ENODATA if the entry is empty
   */
  GidEntry queryGidEntry(int port, int index);

  /**
   * Asks for the GID tables of all ports: {@code ibv_query_gid_table()}. Empty entries are left
   * out.
   *
   * @param entries is filled from its beginning, port by port
   * @return how many entries there are
   * @throws VerbsException EINVAL, with nothing filled, if the array has no room for them
   */
  int queryGidTable(GidEntry[] entries);

  /**
   * Asks how fast a port is: {@code ibv_query_port_speed()}.
   *
   * @param port port number, counted from 1
   * @return the rate over all lanes, in units of 100 Mbit/s
   * @throws VerbsException EINVAL if there is no such port, EOPNOTSUPP if the device can't tell
   */
  long queryPortSpeed(int port);

  /**
   * Asks for an entry of the partition key table of a port: {@code ibv_query_pkey()}.
   *
   * @param port port number, counted from 1
   * @param index index into the table, counted from 0
   * @return the key, 0 to 0xffff; 0xffff is the default partition with full membership
   * @throws VerbsException EINVAL if there is no such port or the index is outside the table
   */
  int queryPartitionKey(int port, int index);

  /**
   * Finds a partition key in the table of a port: {@code ibv_get_pkey_index()}.
   *
   * @param port port number, counted from 1
   * @param partitionKey the key, 0 to 0xffff
   * @return its index, counted from 0
   * @throws VerbsException EINVAL if there is no such port; ENOENT, where C returns -1, if the
   *     table does not have the key
   */
  int getPartitionKeyIndex(int port, int partitionKey);

  /**
   * Makes a protection domain: {@code ibv_alloc_pd()}.
   *
   * @return an open protection domain
   * @throws VerbsException ENOMEM if the device has no further one
   */
  ProtectionDomain allocateProtectionDomain();

  /**
   * Makes a thread domain: {@code ibv_alloc_td()}.
   *
   * @return an open thread domain
   * @throws VerbsException ENOMEM if the device has no further one
   */
  ThreadDomain allocateThreadDomain();

  /**
   * Opens a domain for extended reliable connections that nobody else can open: {@code
   * ibv_open_xrcd()} with the file descriptor -1.
   *
   * @return an open domain
   * @throws VerbsException EOPNOTSUPP without the capability XRC; ENOMEM if the device has no
   *     further one
   */
  XrcDomain openXrcDomain();

  /**
   * Opens a domain for extended reliable connections that all contexts of the device may share:
   * {@code ibv_open_xrcd()} with the file descriptor of a file that stands for the domain. Here a
   * name does. The domain is there from the first open on, until its last opener has closed it.
   *
   * @param name what all openers call it
   * @param flags {@link XrcDomainFlag#CREATE} to make it if it is not there; EXCLUSIVE to fail if
   *     it is
   * @return an open domain; what others make in it is used through it too
   * @throws VerbsException EAGAIN if it is not there, without CREATE; EINVAL if it is there, with
   *     EXCLUSIVE; EOPNOTSUPP without the capability XRC; ENOMEM if the device has no further one
   */
  XrcDomain openXrcDomain(String name, XrcDomainFlag... flags);

  /**
   * Allocates memory of the device: {@code ibv_alloc_dm()}. It is filled with 0.
   *
   * @param length number of bytes
   * @return open memory
   * @throws VerbsException EINVAL if the length is less than 1 or more than {@link
   *     DeviceAttributes#maxDeviceMemoryBytes()}; EOPNOTSUPP if that is 0; ENOMEM if the device has
   *     not as much left
   */
  DeviceMemory allocateDeviceMemory(long length);

  /**
   * {@return on how many interrupts the device can tell of completion events, the {@code
   * num_comp_vectors}}
   */
  int completionVectors();

  /**
   * Makes a completion channel: {@code ibv_create_comp_channel()}.
   *
   * @return an open channel without events
   */
  CompletionChannel createCompletionChannel();

  /**
   * Makes a completion queue that is only polled: {@code ibv_create_cq()}.
   *
   * @param capacity the {@code cqe}: completions that must fit; the queue may be larger
   * @return an open completion queue
   * @throws VerbsException EINVAL if the capacity is less than 1 or more than the device offers,
   *     ENOMEM if the device has no further queue
   */
  CompletionQueue createCompletionQueue(int capacity);

  /**
   * Makes a completion queue: {@code ibv_create_cq()}.
   *
   * @param init what it is made from; without fields, which only an extended queue can give
   * @return an open completion queue
   * @throws VerbsException EINVAL if the capacity is less than 1 or more than the device offers,
   *     there is no such completion vector, the channel is closed or belongs to another context, or
   *     fields are asked for; EOPNOTSUPP if the device can't keep a flag; ENOMEM if the device has
   *     no further queue
   */
  CompletionQueue createCompletionQueue(CompletionQueueInit init);

  /**
   * Makes an extended completion queue: {@code ibv_create_cq_ex()}.
   *
   * @param init what it is made from
   * @return an open completion queue
   * @throws VerbsException as {@link #createCompletionQueue(CompletionQueueInit)}, and EOPNOTSUPP
   *     if the device does not know a field
   */
  ExtendedCompletionQueue createExtendedCompletionQueue(CompletionQueueInit init);

  /**
   * Takes the oldest asynchronous event: {@code ibv_get_async_event()} on a non-blocking
   * descriptor.
   *
   * @return the event, which must be acknowledged, or null where C says EAGAIN
   */
  @Nullable AsyncEvent pollAsyncEvent();

  /**
   * Waits for the oldest asynchronous event and takes it: {@code ibv_get_async_event()} on a
   * blocking descriptor.
   *
   * @return the event, which must be acknowledged
   * @throws IllegalStateException if the provider can tell that no event will ever come, where C
   *     waits for ever
   */
  AsyncEvent getAsyncEvent();

  /** {@return true until {@link #close()} has succeeded} */
  boolean isOpen();

  /**
   * Closes the context: {@code ibv_close_device()}. Closing twice has no effect.
   *
   * @throws VerbsException EBUSY, with nothing changed, while a protection domain, thread domain,
   *     completion queue, completion channel, XRC domain or device memory of this context is open
   */
  @Override
  void close();
}
