package io.roceverbs.sim.fabric.impair;

import io.roceverbs.sim.fault.Occurrence;
import io.roceverbs.sim.wire.Opcode;
import java.util.Arrays;

/** Reads one rule from its text form, see {@link Rule}. */
final class RuleParser {
  private static final String FORM = "verdict:from>to/kind[@psn][#occurrence][~transmission]";
  private static final String VERDICTS =
      "drop, delay=<time>, behind, duplicate[=<copies>][+<time>|+<n>packets], corrupt[=<bit>], mark";
  private static final String PACKETS = "packets";
  private static final String MARKS = "@#~";
  private static final int NUMBER_DIGITS_MAX = 15;

  private final String token;

  RuleParser(String token) {
    this.token = token;
  }

  Rule parse() {
    int colon = find(':', 0, "between verdict and source");
    int arrow = find('>', colon, "between source and destination");
    int slash = find('/', arrow, "between destination and kind");
    try {
      Verdict verdict = verdict(token.substring(0, colon));
      String from = token.substring(colon + 1, arrow);
      String to = token.substring(arrow + 1, slash);
      return new Rule(match(from, to, token.substring(slash + 1)), verdict);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("rule \"" + token + "\": " + e.getMessage(), e);
    }
  }

  private int find(char mark, int from, String where) {
    int position = token.indexOf(mark, from);
    if (position < 0) {
      throw new IllegalArgumentException(
          "rule \""
              + token
              + "\": there is no '"
              + mark
              + "' "
              + where
              + "; the form is "
              + FORM
              + ", for example drop:bob>alice/ACK#1");
    }
    return position;
  }

  private static Verdict verdict(String text) {
    int equals = text.indexOf('=');
    String name = equals < 0 ? text : text.substring(0, equals);
    String value = equals < 0 ? "" : text.substring(equals + 1);
    boolean hasValue = equals >= 0;
    return switch (name) {
      case "drop" -> {
        refuseValue(name, hasValue);
        yield new Verdict.Drop();
      }
      case "behind" -> {
        refuseValue(name, hasValue);
        yield new Verdict.BehindNext();
      }
      case "mark" -> {
        refuseValue(name, hasValue);
        yield new Verdict.Mark();
      }
      case "delay" -> new Verdict.Delay(TimeText.parse(value));
      case "duplicate" -> hasValue ? duplicate(value) : new Verdict.Duplicate(1);
      case "corrupt" ->
          new Verdict.Corrupt(hasValue ? number("bit", value, 0) : Verdict.Corrupt.LAST_BIT);
      default ->
          throw new IllegalArgumentException(
              "verdict \"" + name + "\" is unknown; legal are " + VERDICTS);
    };
  }

  private static void refuseValue(String name, boolean hasValue) {
    if (hasValue) {
      throw new IllegalArgumentException("verdict \"" + name + "\" takes no value");
    }
  }

  private static Verdict duplicate(String value) {
    int plus = value.indexOf('+');
    if (plus < 0) {
      return new Verdict.Duplicate(number("number of copies", value, 1));
    }
    int copies = number("number of copies", value.substring(0, plus), 1);
    String later = value.substring(plus + 1);
    if (later.endsWith(PACKETS)) {
      String count = later.substring(0, later.length() - PACKETS.length());
      return new Verdict.Duplicate(copies, 0, number("number of packets before a copy", count, 1));
    }
    return new Verdict.Duplicate(copies, TimeText.parse(later), 0);
  }

  private static Match match(String from, String to, String rest) {
    int end = nextMark(rest, 0);
    Match match = kind(from, to, rest.substring(0, end));
    int previous = -1;
    while (end < rest.length()) {
      int order = MARKS.indexOf(rest.charAt(end));
      if (order <= previous) {
        throw new IllegalArgumentException(
            "'"
                + rest.charAt(end)
                + "' is out of place; the order is @psn #occurrence"
                + " ~transmission, each at most once");
      }
      previous = order;
      int next = nextMark(rest, end + 1);
      match = narrow(match, rest.charAt(end), rest.substring(end + 1, next));
      end = next;
    }
    return match;
  }

  private static int nextMark(String text, int from) {
    int position = from;
    while (position < text.length() && MARKS.indexOf(text.charAt(position)) < 0) {
      position++;
    }
    return position;
  }

  private static Match kind(String from, String to, String name) {
    for (PacketClass packetClass : PacketClass.values()) {
      if (packetClass.name().equals(name)) {
        return Match.of(from, to, packetClass);
      }
    }
    for (Opcode opcode : Opcode.values()) {
      if (opcode.name().equals(name)) {
        return Match.of(from, to, opcode);
      }
    }
    throw new IllegalArgumentException(
        "kind \""
            + name
            + "\" is neither an opcode such as RC_SEND_ONLY nor one of "
            + Arrays.toString(PacketClass.values()));
  }

  private static Match narrow(Match match, char mark, String value) {
    return switch (mark) {
      case '@' -> match.withPacketSequenceNumber(number("PSN", value, 0));
      case '#' -> match.withOccurrence(Occurrence.parse(value));
      default -> match.withTransmission(number("transmission", value, 1));
    };
  }

  private static int number(String what, String text, int least) {
    long value = longNumber(what, text, least);
    if (value > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(what + " " + text + " is too large");
    }
    return (int) value;
  }

  /** Reads a decimal number, or a hexadecimal one after 0x; a sign is not legal. */
  private static long longNumber(String what, String text, int least) {
    boolean hexadecimal = text.startsWith("0x");
    String digits = hexadecimal ? text.substring(2) : text;
    int radix = hexadecimal ? 16 : 10;
    boolean legal =
        !digits.isEmpty()
            && digits.length() <= NUMBER_DIGITS_MAX
            && digits.chars().allMatch(digit -> Character.digit(digit, radix) >= 0);
    long value = legal ? Long.parseLong(digits, radix) : -1;
    if (value < least) {
      throw new IllegalArgumentException(
          what + " \"" + text + "\" is not a whole number of " + least + " or more");
    }
    return value;
  }
}
