package io.roceverbs.sim.fabric.impair;

/** Times in the text form of rules: a whole number and a unit, such as {@code 250us}. */
final class TimeText {
  private static final String[] UNITS = {"ns", "us", "ms", "s"};
  private static final long[] NANOS = {1, 1_000, 1_000_000, 1_000_000_000};

  private TimeText() {}

  /** Writes a time in the largest unit that leaves a whole number. */
  static String format(long nanos) {
    int unit = UNITS.length - 1;
    while (nanos % NANOS[unit] != 0) {
      unit--;
    }
    return nanos / NANOS[unit] + UNITS[unit];
  }

  /**
   * Reads a time.
   *
   * @return nanoseconds
   * @throws IllegalArgumentException if the text is none
   */
  static long parse(String text) {
    int digits = 0;
    while (digits < text.length() && Character.digit(text.charAt(digits), 10) >= 0) {
      digits++;
    }
    for (int unit = 0; unit < UNITS.length; unit++) {
      if (digits > 0 && text.substring(digits).equals(UNITS[unit])) {
        return toNanos(text, text.substring(0, digits), NANOS[unit]);
      }
    }
    throw new IllegalArgumentException(
        "time \"" + text + "\" is not a whole number and one of ns, us, ms, s");
  }

  private static long toNanos(String text, String number, long unitNanos) {
    try {
      return Math.multiplyExact(Long.parseLong(number), unitNanos);
    } catch (NumberFormatException | ArithmeticException tooLarge) {
      throw new IllegalArgumentException("time \"" + text + "\" is too long", tooLarge);
    }
  }
}
