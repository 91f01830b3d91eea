package io.roceverbs.sim.wire;

/**
 * The local ACK timeout: how long a requester waits for an acknowledgement.
 *
 * <p>C counterpart: {@code timeout} of {@code ibv_qp_attr}. InfiniBand architecture specification,
 * volume 1, chapter 9.
 */
public final class AckTimeout {
  /** The largest code. */
  public static final int CODE_MAX = 31;

  private static final long UNIT_NANOS = 4_096;

  private AckTimeout() {}

  /**
   * The time that a code stands for: 4.096 us times 2 to the power of the code.
   *
   * @param code 0 to {@link #CODE_MAX}
   * @return nanoseconds; 0 for code 0, which means that there is no timeout
   */
  public static long nanos(int code) {
    if (code < 0 || code > CODE_MAX) {
      throw new IllegalArgumentException(
          "ACK timeout code " + code + " is not in 0 to " + CODE_MAX);
    }
    return code == 0 ? 0 : UNIT_NANOS << code;
  }
}
