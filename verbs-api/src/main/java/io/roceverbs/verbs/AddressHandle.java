package io.roceverbs.verbs;

/**
 * A way to a port of the network, which datagrams name: {@code struct ibv_ah}, kernel {@code struct
 * ib_ah}.
 *
 * <p>A datagram that was posted has its own copy of the way, so a handle may be closed at any time;
 * a portable program keeps it until the last request that names it has completed.
 *
 * <p>All methods may be called from any thread.
 *
 * <p>Source: ibv_create_ah(3).
 */
public interface AddressHandle extends AutoCloseable {
  /** {@return the protection domain of this handle} */
  ProtectionDomain protectionDomain();

  /** {@return where it leads, the {@code struct ibv_ah_attr}} */
  AddressVector vector();

  /** {@return true until {@link #close()} was called} */
  boolean isOpen();

  /** Destroys the handle: {@code ibv_destroy_ah()}. Closing twice has no effect. */
  @Override
  void close();
}
