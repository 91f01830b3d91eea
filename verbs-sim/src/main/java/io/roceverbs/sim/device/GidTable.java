package io.roceverbs.sim.device;

import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.Gid;
import io.roceverbs.verbs.VerbsException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The GID table of a port: the addresses of its node. An entry that was removed stays empty until
 * an address is added, which takes the first place that is free.
 */
final class GidTable {
  /** How many entries there are, most of them empty; as many as an address vector can name. */
  static final int LENGTH = 256;

  private final List<@Nullable Gid> entries = new ArrayList<>();

  GidTable(List<Gid> gids) {
    entries.addAll(gids);
  }

  /** Gives the address at an index, as verbs do that name one. */
  Gid require(String call, int index) {
    if (index < 0 || index >= LENGTH) {
      throw new VerbsException(
          Errno.EINVAL,
          call,
          "GID index " + index + " is outside the table, which has entries 0.." + (LENGTH - 1));
    }
    Gid gid = find(index);
    if (gid == null) {
      throw new VerbsException(
          Errno.ENODATA, call, "the GID table has no address at index " + index + ": " + this);
    }
    return gid;
  }

  /** Gives the address at an index that an address vector names as its source. */
  Gid requireSource(String call, int index) {
    Gid gid = index >= 0 ? find(index) : null;
    if (gid == null) {
      throw new VerbsException(
          Errno.EINVAL, call, "source GID index " + index + " has no address: " + this);
    }
    return gid;
  }

  /** The address at an index of the table, or null if it is empty. */
  @Nullable Gid find(int index) {
    return index < entries.size() ? entries.get(index) : null;
  }

  /** The index of an address, or a negative number. */
  int indexOf(Gid gid) {
    return entries.indexOf(gid);
  }

  /** The first index of an address of one IP version, or a negative number. */
  int indexOfVersion(boolean ipv4) {
    for (int i = 0; i < entries.size(); i++) {
      Gid gid = entries.get(i);
      if (gid != null && gid.isIpv4Mapped() == ipv4) {
        return i;
      }
    }
    return -1;
  }

  /** Whether an address is in the table. */
  boolean has(long high, long low) {
    for (int i = 0; i < entries.size(); i++) {
      Gid gid = entries.get(i);
      if (gid != null && gid.high() == high && gid.low() == low) {
        return true;
      }
    }
    return false;
  }

  /** Adds an address that is not in the table; gives its index. */
  int add(Gid gid) {
    int free = entries.indexOf(null);
    if (free >= 0) {
      entries.set(free, gid);
      return free;
    }
    if (entries.size() == LENGTH) {
      throw new IllegalStateException(
          "all " + LENGTH + " entries of the GID table are taken; remove an address first");
    }
    entries.add(gid);
    return entries.size() - 1;
  }

  /** Removes an address; says whether it was there. */
  boolean remove(Gid gid) {
    int index = entries.indexOf(gid);
    if (index >= 0) {
      entries.set(index, null);
    }
    return index >= 0;
  }

  /** The addresses with their indices. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < entries.size(); i++) {
      if (entries.get(i) != null) {
        text.append(text.length() == 0 ? "" : ", ").append(i).append(": ").append(entries.get(i));
      }
    }
    return text.length() == 0 ? "it is empty" : text.toString();
  }
}
