package io.roceverbs.verbs;

import java.util.List;

/**
 * The door for an implementation: {@code struct verbs_device_ops} of a libibverbs provider.
 *
 * <p>A module says {@code provides VerbsProvider with ...}, a jar on the class path has a file
 * {@code META-INF/services/io.roceverbs.verbs.VerbsProvider}; {@link Device#list()} then finds it
 * with {@link java.util.ServiceLoader}. An implementation has a public constructor without
 * parameters or a static method {@code provider()}.
 *
 * <p>All methods may be called from any thread.
 */
public interface VerbsProvider {
  /** {@return the short name of the provider, such as that of its library} */
  String name();

  /**
   * {@return the devices found now: an unmodifiable list in a stable order, empty if there is none}
   */
  List<Device> devices();
}
