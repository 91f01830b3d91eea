package io.roceverbs.sim.wire;

/**
 * Arithmetic on packet sequence numbers (PSN), which are 24 bits wide and wrap around.
 *
 * <p>InfiniBand architecture specification, volume 1, chapter 9: of the 2^24 numbers, the 2^23
 * below the expected one are duplicates and the 2^23 - 1 above it are a gap. C counterpart: {@code
 * psn_compare()} and {@code BTH_PSN_MASK} of the Linux kernel's rdma_rxe.
 */
public final class PacketSequenceNumbers {
  /** The bits of a PSN. */
  public static final int MASK = 0xFF_FFFF;

  /** By how far a 24-bit number is shifted to put its sign bit where an int has it. */
  private static final int SIGN_SHIFT = Integer.SIZE - 24;

  private PacketSequenceNumbers() {}

  /**
   * The PSN {@code count} packets behind {@code psn} on the wire.
   *
   * @param psn a PSN
   * @param count how many packets later; negative for earlier
   * @return a PSN, 0 to {@link #MASK}
   */
  public static int add(int psn, int count) {
    return (psn + count) & MASK;
  }

  /**
   * How far {@code a} is ahead of {@code b}.
   *
   * @param a a PSN
   * @param b a PSN
   * @return -2^23 to 2^23 - 1; negative if {@code a} comes before {@code b}. The point exactly half
   *     way round counts as before.
   */
  public static int difference(int a, int b) {
    return ((a - b) << SIGN_SHIFT) >> SIGN_SHIFT;
  }

  /**
   * How many packets, and so how many PSNs, a message takes.
   *
   * @param length the length of the message in bytes, 0 to 2^31
   * @param pathMtu the payload of a full packet in bytes, a positive number
   * @return at least 1, as an empty message is a packet too
   */
  public static int count(long length, int pathMtu) {
    return (int) Math.max(1, (length + pathMtu - 1) / pathMtu);
  }
}
