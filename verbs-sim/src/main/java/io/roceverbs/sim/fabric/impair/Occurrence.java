package io.roceverbs.sim.fabric.impair;

/**
 * Which of the packets that a {@link Match} describes are meant, by their number in sending order.
 *
 * @param first number of the first one, 1 or more
 * @param last number of the last one; {@link #UNLIMITED} for all from {@code first} on
 */
public record Occurrence(long first, long last) {
  /** The last number of a range without an end. */
  public static final long UNLIMITED = Long.MAX_VALUE;

  /** All of them. */
  public static final Occurrence ALL = new Occurrence(1, UNLIMITED);

  /**
   * Checks the numbers.
   *
   * @param first as the component
   * @param last as the component
   * @throws IllegalArgumentException if {@code first} is less than 1, or {@code last} less than
   *     {@code first}
   */
  public Occurrence {
    if (first < 1) {
      throw new IllegalArgumentException("occurrence " + first + " is not 1 or more");
    }
    if (last < first) {
      throw new IllegalArgumentException(
          "occurrences " + first + "-" + last + " end before they begin");
    }
  }

  /**
   * Tells whether the packet with a number is meant.
   *
   * @param number 1 for the first packet
   * @return whether it is in the range
   */
  public boolean contains(long number) {
    return number >= first && number <= last;
  }

  /** The text form: empty for all, else {@code #2}, {@code #2-5} or {@code #2+}. */
  @Override
  public String toString() {
    if (equals(ALL)) {
      return "";
    }
    if (last == UNLIMITED) {
      return "#" + first + "+";
    }
    return first == last ? "#" + first : "#" + first + "-" + last;
  }
}
