package io.roceverbs.sim.wire;

/**
 * The codes in which an ACK says how many receives its responder has.
 *
 * <p>C counterpart: {@code credit_table} of the Linux kernel's rdmavt. InfiniBand architecture
 * specification, volume 1, chapter 9.
 */
public final class Credits {
  private static final int[] RECEIVES = {
    0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1_024, 1_536,
    2_048, 3_072, 4_096, 6_144, 8_192, 12_288, 16_384, 24_576, 32_768
  };

  private Credits() {}

  /**
   * The code for a number of receives, rounded down.
   *
   * @param receives 0 or more
   * @return 0 to 30
   */
  public static int codeOf(int receives) {
    int code = RECEIVES.length - 1;
    while (RECEIVES[code] > receives) {
      code--;
    }
    return code;
  }

  /**
   * The number of receives that a code stands for.
   *
   * @param code 0 to 30; 31 says nothing about receives, see {@link Syndrome#CREDITS_UNLIMITED}
   * @return 0 to 32768
   */
  public static int receives(int code) {
    if (code < 0 || code >= RECEIVES.length) {
      throw new IllegalArgumentException(
          "credit code " + code + " is not in 0 to " + (RECEIVES.length - 1));
    }
    return RECEIVES[code];
  }
}
