package io.roceverbs.sim.fabric;

import org.jspecify.annotations.Nullable;

/** Which port has an IP address of 128 bits; looked up for each frame without allocation. */
final class AddressTable {
  private static final int INITIAL_CAPACITY = 16;
  private static final long MULTIPLIER = 0x9E37_79B9_7F4A_7C15L;

  private long[] highs = new long[INITIAL_CAPACITY];
  private long[] lows = new long[INITIAL_CAPACITY];
  private @Nullable Port[] ports = new @Nullable Port[INITIAL_CAPACITY];
  private int size;

  @Nullable Port find(long high, long low) {
    return ports[slot(high, low)];
  }

  /** Adds an address that is not in the table. */
  void add(long high, long low, Port port) {
    if (size * 2 >= ports.length) {
      grow();
    }
    put(high, low, port);
    size++;
  }

  /** Removes an address, if it is there. */
  void remove(long high, long low) {
    int mask = ports.length - 1;
    int slot = slot(high, low);
    if (ports[slot] == null) {
      return;
    }
    ports[slot] = null;
    size--;
    // Those behind it may stand there only because its place was taken.
    int next = (slot + 1) & mask;
    for (Port port = ports[next]; port != null; port = ports[next]) {
      ports[next] = null;
      put(highs[next], lows[next], port);
      next = (next + 1) & mask;
    }
  }

  private void put(long high, long low, Port port) {
    int slot = slot(high, low);
    assert ports[slot] == null : "an address was added twice";
    highs[slot] = high;
    lows[slot] = low;
    ports[slot] = port;
  }

  /** The slot of the address, or the free one where it would be. */
  private int slot(long high, long low) {
    int mask = ports.length - 1;
    int slot = (int) (((high * MULTIPLIER + low) * MULTIPLIER) >>> 40) & mask;
    while (ports[slot] != null && (lows[slot] != low || highs[slot] != high)) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private void grow() {
    long[] oldHighs = highs;
    long[] oldLows = lows;
    @Nullable Port[] oldPorts = ports;
    highs = new long[oldHighs.length * 2];
    lows = new long[oldLows.length * 2];
    ports = new @Nullable Port[oldPorts.length * 2];
    for (int i = 0; i < oldPorts.length; i++) {
      Port port = oldPorts[i];
      if (port != null) {
        put(oldHighs[i], oldLows[i], port);
      }
    }
  }
}
