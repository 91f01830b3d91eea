package io.roceverbs.sim.wire;

/**
 * The times that an RNR NAK can ask a requester to wait.
 *
 * <p>C counterpart: {@code min_rnr_timer} of {@code ibv_qp_attr}, {@code enum ib_rnr_timeout} of
 * the Linux kernel. InfiniBand architecture specification, volume 1, chapter 9.
 */
public final class RnrTimer {
  /** The largest code. */
  public static final int CODE_MAX = 31;

  private static final long NANOS_PER_STEP = 10_000;

  /** The times in units of 0.01 milliseconds; code 0 is the longest. */
  private static final int[] STEPS = {
    65_536, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1_024,
    1_536, 2_048, 3_072, 4_096, 6_144, 8_192, 12_288, 16_384, 24_576, 32_768, 49_152
  };

  private RnrTimer() {}

  /**
   * The least time that the requester has to wait before it tries again.
   *
   * @param code 0 to {@link #CODE_MAX}
   * @return nanoseconds, 10 us (code 1) to 655.36 ms (code 0)
   */
  public static long nanos(int code) {
    if (code < 0 || code > CODE_MAX) {
      throw new IllegalArgumentException("RNR timer code " + code + " is not in 0 to " + CODE_MAX);
    }
    return STEPS[code] * NANOS_PER_STEP;
  }
}
