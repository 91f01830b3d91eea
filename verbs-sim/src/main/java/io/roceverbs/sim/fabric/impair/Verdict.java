package io.roceverbs.sim.fabric.impair;

/**
 * What happens to a packet that a rule hits.
 *
 * <p>Each has a short text form, which begins the text form of its {@link Rule}.
 */
public sealed interface Verdict {
  /** The longest delay: one hour of the fabric's time. */
  long DELAY_NANOS_MAX = 3_600_000_000_000L;

  /**
   * Calls the method of {@code visitor} for this kind of verdict.
   *
   * @param <R> what the visitor gives
   * @param visitor has a method for each kind
   * @return what that method gives
   */
  <R> R accept(Visitor<R> visitor);

  /** The packet is lost. Text: {@code drop}. */
  record Drop() implements Verdict {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.drop(this);
    }

    @Override
    public String toString() {
      return "drop";
    }
  }

  /**
   * The packet arrives later; packets sent after it may overtake it. Text: {@code delay=1ms}.
   *
   * @param nanos how much later, 1 to {@link #DELAY_NANOS_MAX}
   */
  record Delay(long nanos) implements Verdict {
    /**
     * Checks the time.
     *
     * @param nanos as the component
     */
    public Delay {
      checkDelay(nanos, 1);
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.delay(this);
    }

    @Override
    public String toString() {
      return "delay=" + TimeText.format(nanos);
    }
  }

  /**
   * The packet is held until the next one of its direction has gone, and arrives just after it. If
   * none follows within {@link #HOLD_NANOS_MAX} it goes then. Text: {@code behind}.
   */
  record BehindNext() implements Verdict {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.behindNext(this);
    }

    @Override
    public String toString() {
      return "behind";
    }
  }

  /**
   * The packet arrives more than once. Text: {@code duplicate}, {@code duplicate=2}, {@code
   * duplicate=1+1ms} or {@code duplicate=1+3packets}.
   *
   * @param copies how many further ones, 1 to {@link #COPIES_MAX}
   * @param delayNanos how long after the packet the first copy comes, and each further copy after
   *     the one before; 0 to {@link #DELAY_NANOS_MAX}
   * @param afterPackets behind how many further packets of the same direction the copies come (at
   *     the latest after {@link #HOLD_NANOS_MAX}); 0 to {@link #AFTER_PACKETS_MAX}; 0 if {@code
   *     delayNanos} is not
   */
  record Duplicate(int copies, long delayNanos, int afterPackets) implements Verdict {
    /** More copies than this are no fault of a network. */
    public static final int COPIES_MAX = 16;

    /** The most packets that a copy may wait for. */
    public static final int AFTER_PACKETS_MAX = 1_024;

    /**
     * Checks the numbers.
     *
     * @param copies as the component
     * @param delayNanos as the component
     * @param afterPackets as the component
     */
    public Duplicate {
      checkRange("number of copies", copies, 1, COPIES_MAX);
      checkDelay(delayNanos, 0);
      checkRange("number of packets before a copy", afterPackets, 0, AFTER_PACKETS_MAX);
      if (delayNanos != 0 && afterPackets != 0) {
        throw new IllegalArgumentException(
            "a copy comes after a time or after a number of packets, not both");
      }
    }

    /**
     * Copies that come right after the packet.
     *
     * @param copies how many, 1 to {@link #COPIES_MAX}
     */
    public Duplicate(int copies) {
      this(copies, 0, 0);
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.duplicate(this);
    }

    @Override
    public String toString() {
      if (delayNanos != 0) {
        return "duplicate=" + copies + "+" + TimeText.format(delayNanos);
      }
      if (afterPackets != 0) {
        return "duplicate=" + copies + "+" + afterPackets + "packets";
      }
      return copies == 1 ? "duplicate" : "duplicate=" + copies;
    }
  }

  /**
   * One bit of the packet is flipped; its ICRC stays as it was. Text: {@code corrupt} or {@code
   * corrupt=12}.
   *
   * @param bit number of the bit, counted from the first one of the BTH, up to {@link #BIT_MAX}; in
   *     a packet without that many bits before its ICRC, and for {@link #LAST_BIT}, it is the last
   *     bit before the ICRC
   */
  record Corrupt(int bit) implements Verdict {
    /** Stands for the last bit before the ICRC. */
    public static final int LAST_BIT = -1;

    /** The highest bit: BTH, RETH, immediate data and 4096 bytes of payload are before the ICRC. */
    public static final int BIT_MAX = (12 + 16 + 4 + 4096) * Byte.SIZE - 1;

    /**
     * Checks the number.
     *
     * @param bit as the component
     */
    public Corrupt {
      checkRange("bit", bit, LAST_BIT, BIT_MAX);
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.corrupt(this);
    }

    @Override
    public String toString() {
      return bit == LAST_BIT ? "corrupt" : "corrupt=" + bit;
    }
  }

  /**
   * The packet is marked as having met congestion, whether or not it says that it can be; its ICRC
   * does not cover the mark. Text: {@code mark}.
   */
  record Mark() implements Verdict {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.mark(this);
    }

    @Override
    public String toString() {
      return "mark";
    }
  }

  /** How long a packet waits for others to overtake it: one millisecond. */
  long HOLD_NANOS_MAX = 1_000_000L;

  private static void checkDelay(long nanos, long least) {
    if (nanos < least || nanos > DELAY_NANOS_MAX) {
      throw new IllegalArgumentException(
          "delay of "
              + nanos
              + " ns is not in "
              + least
              + " ns to "
              + DELAY_NANOS_MAX
              + " ns (1 hour)");
    }
  }

  private static void checkRange(String what, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          what + " " + value + " is not in " + least + " to " + most);
    }
  }

  /**
   * One method for each kind of verdict.
   *
   * @param <R> what the methods give
   */
  interface Visitor<R> {
    /**
     * Visits a loss.
     *
     * @param verdict the verdict
     * @return what the visitor gives for it
     */
    R drop(Drop verdict);

    /**
     * Visits a delay.
     *
     * @param verdict the verdict
     * @return what the visitor gives for it
     */
    R delay(Delay verdict);

    /**
     * Visits an exchange with the next packet.
     *
     * @param verdict the verdict
     * @return what the visitor gives for it
     */
    R behindNext(BehindNext verdict);

    /**
     * Visits copies.
     *
     * @param verdict the verdict
     * @return what the visitor gives for it
     */
    R duplicate(Duplicate verdict);

    /**
     * Visits a flipped bit.
     *
     * @param verdict the verdict
     * @return what the visitor gives for it
     */
    R corrupt(Corrupt verdict);

    /**
     * Visits a congestion mark.
     *
     * @param verdict the verdict
     * @return what the visitor gives for it
     */
    R mark(Mark verdict);
  }
}
