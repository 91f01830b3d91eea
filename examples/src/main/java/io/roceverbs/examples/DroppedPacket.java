package io.roceverbs.examples;

import io.roceverbs.sim.fabric.impair.Rule;
import io.roceverbs.sim.fabric.impair.Verdict;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The value of {@code --drop}.
 *
 * @param rule drops the packet; null for none
 */
record DroppedPacket(@Nullable Rule rule) {
  /** The acknowledgement of the command: the first one that the target sends. */
  static final DroppedPacket ACK_OF_COMMAND =
      new DroppedPacket(Rule.parse("drop:target>initiator/ACK#1"));

  private static final String NONE = "none";
  private static final String DROP = "drop:";

  /** Reads {@code none} or a packet token, with or without the verdict in front. */
  static final class Converter implements ITypeConverter<DroppedPacket> {
    @Override
    public DroppedPacket convert(String value) {
      if (value.equals(NONE)) {
        return new DroppedPacket(null);
      }
      try {
        Rule rule = Rule.parse(value.indexOf(':') < 0 ? DROP + value : value);
        if (!(rule.verdict() instanceof Verdict.Drop)) {
          throw new TypeConversionException(
              "\"" + rule.verdict() + "\" is not a drop; name the packet alone");
        }
        return new DroppedPacket(rule);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage() + "; or " + NONE);
      }
    }
  }

  @Override
  public String toString() {
    return rule == null ? NONE : rule.match().toString();
  }
}
