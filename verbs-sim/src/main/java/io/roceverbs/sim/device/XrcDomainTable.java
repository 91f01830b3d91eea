package io.roceverbs.sim.device;

import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.VerbsException;
import io.roceverbs.verbs.XrcDomainFlag;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The XRC domains of a device. */
final class XrcDomainTable {
  private final UseCount count = new UseCount("XRC domain");
  private final SortedMap<String, SharedXrcDomain> named = new TreeMap<>();
  private final int max;

  XrcDomainTable(int max) {
    this.max = max;
  }

  /** Makes a domain for one opener. */
  SharedXrcDomain open(String call) {
    count.add(call, max);
    return new SharedXrcDomain(null);
  }

  /** Rule XRC-DOMAIN-SHARED: finds or makes the domain of a name, as the flags say. */
  SharedXrcDomain open(String call, String name, Set<XrcDomainFlag> flags) {
    SharedXrcDomain present = named.get(name);
    if (present == null) {
      return create(call, name, flags);
    }
    if (flags.contains(XrcDomainFlag.EXCLUSIVE)) {
      throw new VerbsException(
          Errno.EINVAL,
          call,
          "XRC domain \"" + name + "\" is open already, and EXCLUSIVE asks for a new one");
    }
    return present;
  }

  private SharedXrcDomain create(String call, String name, Set<XrcDomainFlag> flags) {
    if (!flags.contains(XrcDomainFlag.CREATE)) {
      throw new VerbsException(
          Errno.EAGAIN, call, "nobody has XRC domain \"" + name + "\" open; use CREATE to make it");
    }
    count.add(call, max);
    SharedXrcDomain made = new SharedXrcDomain(name);
    named.put(name, made);
    return made;
  }

  /** The last opener of a domain has closed it. */
  void remove(SharedXrcDomain domain) {
    count.remove();
    @Nullable String name = domain.name();
    if (name != null) {
      named.remove(name);
    }
  }
}
