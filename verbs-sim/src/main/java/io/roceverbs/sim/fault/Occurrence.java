package io.roceverbs.sim.fault;

/**
 * Which of the packets, calls or completions that a fault describes are meant, by their number in
 * the order in which they came.
 *
 * @param first number of the first one, 1 or more
 * @param last number of the last one; {@link #UNLIMITED} for all from {@code first} on
 */
public record Occurrence(long first, long last) {
  /** The last number of a range without an end. */
  public static final long UNLIMITED = Long.MAX_VALUE;

  private static final int DIGITS_MAX = 15;

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
   * Reads the text form.
   *
   * @param text {@code 2}, {@code 2-5} or {@code 2+}: what {@link #toString()} gives behind {@code
   *     #}
   * @return the numbers
   * @throws IllegalArgumentException if the text is not one
   */
  public static Occurrence parse(String text) {
    if (text.endsWith("+")) {
      return new Occurrence(number(text.substring(0, text.length() - 1)), UNLIMITED);
    }
    int dash = text.indexOf('-', 1);
    if (dash > 0) {
      return new Occurrence(number(text.substring(0, dash)), number(text.substring(dash + 1)));
    }
    long number = number(text);
    return new Occurrence(number, number);
  }

  private static long number(String text) {
    boolean isLegal =
        !text.isEmpty()
            && text.length() <= DIGITS_MAX
            && text.chars().allMatch(digit -> digit >= '0' && digit <= '9');
    long value = isLegal ? Long.parseLong(text) : 0;
    if (value < 1) {
      throw new IllegalArgumentException(
          "occurrence \"" + text + "\" is not a whole number of 1 or more");
    }
    return value;
  }

  /**
   * Tells whether the one with a number is meant.
   *
   * @param number 1 for the first
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
