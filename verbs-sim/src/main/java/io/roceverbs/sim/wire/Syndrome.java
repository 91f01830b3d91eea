package io.roceverbs.sim.wire;

import org.jspecify.annotations.Nullable;

/**
 * The syndrome byte of the ACK extended transport header (AETH): three bits that say what kind of
 * answer this is and five bits whose meaning depends on it.
 *
 * <p>C counterpart: {@code enum aeth_syndrome} of the Linux kernel's rdma_rxe. InfiniBand
 * architecture specification, volume 1, chapter 9.
 */
public final class Syndrome {
  /** Base value of an ACK; the lower five bits are the credit code. */
  public static final int ACK = 0x00;

  /** Base value of an RNR NAK; the lower five bits are the timer code of {@link RnrTimer}. */
  public static final int RNR_NAK = 0x20;

  /** Base value of a NAK; the lower five bits are the {@link NakCode}. */
  public static final int NAK = 0x60;

  /** The credit code that says nothing about credits: the requester is not limited by them. */
  public static final int CREDITS_UNLIMITED = 31;

  private static final int KIND_SHIFT = 5;
  private static final int CODE_MASK = 0x1F;
  private static final int SYNDROME_MASK = 0xFF;

  private Syndrome() {}

  /**
   * The syndrome of an ACK.
   *
   * @param credits the credit code, 0 to 31; {@link #CREDITS_UNLIMITED} when credits are not used
   * @return 0x00 to 0x1F
   */
  public static int ackSyndrome(int credits) {
    return ACK | checkCode("credit code", credits);
  }

  /**
   * The syndrome of an RNR NAK.
   *
   * @param timerCode the code of the time to wait, 0 to 31, see {@link RnrTimer#nanos(int)}
   * @return 0x20 to 0x3F
   */
  public static int rnrSyndrome(int timerCode) {
    return RNR_NAK | checkCode("RNR timer code", timerCode);
  }

  /**
   * The syndrome of a NAK.
   *
   * @param code the reason
   * @return 0x60 to 0x64
   */
  public static int nakSyndrome(NakCode code) {
    return NAK | code.value();
  }

  /**
   * Tells what kind of answer a syndrome stands for.
   *
   * @param syndrome the byte, 0 to 255
   * @return the kind; {@link SyndromeKind#RESERVED} for 0x40 to 0x5F and everything from 0x80 up
   */
  public static SyndromeKind kind(int syndrome) {
    return switch ((syndrome & SYNDROME_MASK) >> KIND_SHIFT) {
      case ACK >> KIND_SHIFT -> SyndromeKind.ACK;
      case RNR_NAK >> KIND_SHIFT -> SyndromeKind.RNR_NAK;
      case NAK >> KIND_SHIFT -> SyndromeKind.NAK;
      default -> SyndromeKind.RESERVED;
    };
  }

  /**
   * The lower five bits: credit code, timer code or NAK code.
   *
   * @param syndrome the byte, 0 to 255
   * @return 0 to 31
   */
  public static int code(int syndrome) {
    return syndrome & CODE_MASK;
  }

  /**
   * The reason of a NAK.
   *
   * @param syndrome the byte, 0 to 255
   * @return the reason, or null if this is not a NAK or its code is reserved
   */
  public static @Nullable NakCode nakCode(int syndrome) {
    return kind(syndrome) == SyndromeKind.NAK ? NakCode.of(code(syndrome)) : null;
  }

  private static int checkCode(String what, int code) {
    if ((code & ~CODE_MASK) != 0) {
      throw new IllegalArgumentException(what + " " + code + " is not in 0 to " + CODE_MASK);
    }
    return code;
  }
}
