package io.roceverbs.sim.diagram;

import java.math.BigDecimal;
import java.math.RoundingMode;

/** Virtual times and lengths of time as people read them. */
final class Times {
  private static final int UNIT_DIGITS = 3;

  private enum Unit {
    NANOSECONDS("ns", 0),
    MICROSECONDS("µs", 3),
    MILLISECONDS("ms", 6),
    SECONDS("s", 9);

    private final String symbol;
    private final int digits;

    Unit(String symbol, int digits) {
      this.symbol = symbol;
      this.digits = digits;
    }

    static Unit of(long nanos) {
      if (nanos < 1_000) {
        return NANOSECONDS;
      }
      if (nanos < 1_000_000) {
        return MICROSECONDS;
      }
      return nanos < 1_000_000_000 ? MILLISECONDS : SECONDS;
    }
  }

  private Times() {}

  /**
   * Writes a moment with three digits after the point, and with as many more as it takes to tell it
   * from the one before. Further digits are cut off, not rounded, so that moments never seem to go
   * back when one has more digits than the one before.
   */
  static String moment(long nanos, long previousNanos) {
    Unit unit = Unit.of(nanos);
    int digits = Math.min(UNIT_DIGITS, unit.digits);
    while (digits < unit.digits
        && nanos != previousNanos
        && cut(nanos, unit, digits).equals(cut(previousNanos, unit, digits))) {
      digits += UNIT_DIGITS;
    }
    return cut(nanos, unit, digits);
  }

  /** Writes a length of time to three figures or so. */
  static String length(long nanos) {
    Unit unit = Unit.of(nanos);
    return write(nanos, unit, Math.min(1, unit.digits), RoundingMode.HALF_UP);
  }

  private static String cut(long nanos, Unit unit, int digits) {
    return write(nanos, unit, digits, RoundingMode.DOWN);
  }

  private static String write(long nanos, Unit unit, int digits, RoundingMode rounding) {
    BigDecimal value = BigDecimal.valueOf(nanos, unit.digits).setScale(digits, rounding);
    return value.toPlainString() + " " + unit.symbol;
  }
}
