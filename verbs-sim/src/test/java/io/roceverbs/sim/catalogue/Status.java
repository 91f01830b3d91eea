package io.roceverbs.sim.catalogue;

import java.util.Locale;

/** How far an entry of the catalogue is. */
public enum Status {
  /** It has a test and must keep one. */
  DONE,
  /** It is to be done. */
  OPEN,
  /** It belongs to the connection manager, which is not there yet. */
  LATER,
  /** A feature that the library may have. */
  OPTIONAL,
  /** It has no meaning here, for a reason that the entry gives. */
  EXCLUDED;

  static Status of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
