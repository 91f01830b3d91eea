package io.roceverbs.sim.fabric;

/**
 * The frames in a switch that wait for one of its ports, as sizes and times of departure. A frame
 * counts until its last bit has left; one that would exceed the limit is not taken (tail drop).
 */
final class EgressQueue {
  /** The departure of a frame that was not taken. */
  static final long FULL = -1;

  private static final int INITIAL_CAPACITY = 16;

  private final int bytesMax;
  private long[] departures = new long[INITIAL_CAPACITY];
  private int[] sizes = new int[INITIAL_CAPACITY];
  private int head;
  private int count;
  private int bytes;
  private long freeNanos;

  EgressQueue(int bytesMax) {
    this.bytesMax = bytesMax;
  }

  long offer(int frameBytes, long serialisationNanos, long nowNanos) {
    forgetDeparted(nowNanos);
    if (frameBytes > bytesMax - bytes) {
      return FULL;
    }
    freeNanos = Math.max(freeNanos, nowNanos) + serialisationNanos;
    append(freeNanos, frameBytes);
    return freeNanos;
  }

  /** How many bytes of frames wait. */
  int bytesWaiting(long nowNanos) {
    forgetDeparted(nowNanos);
    return bytes;
  }

  private void forgetDeparted(long nowNanos) {
    while (count > 0 && departures[head] <= nowNanos) {
      bytes -= sizes[head];
      head = (head + 1) & (sizes.length - 1);
      count--;
    }
  }

  private void append(long departure, int frameBytes) {
    if (count == sizes.length) {
      grow();
    }
    int tail = (head + count) & (sizes.length - 1);
    departures[tail] = departure;
    sizes[tail] = frameBytes;
    bytes += frameBytes;
    count++;
  }

  private void grow() {
    int capacity = sizes.length * 2;
    long[] longerDepartures = new long[capacity];
    int[] longerSizes = new int[capacity];
    for (int i = 0; i < count; i++) {
      int from = (head + i) & (sizes.length - 1);
      longerDepartures[i] = departures[from];
      longerSizes[i] = sizes[from];
    }
    departures = longerDepartures;
    sizes = longerSizes;
    head = 0;
  }
}
