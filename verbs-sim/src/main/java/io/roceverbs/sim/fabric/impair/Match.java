package io.roceverbs.sim.fabric.impair;

import io.roceverbs.sim.fault.Occurrence;
import io.roceverbs.sim.wire.Opcode;
import io.roceverbs.sim.wire.Packet;
import io.roceverbs.sim.wire.PacketSequenceNumbers;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Which packets a {@link Rule} is about.
 *
 * @param from name of the sending node, or {@link #ANY_NODE}
 * @param to name of the node that the packet is addressed to, or {@link #ANY_NODE}
 * @param packetClass the kind of packet; {@link PacketClass#ANY} when {@code opcode} is given
 * @param opcode the exact opcode, or null when the kind of packet is enough
 * @param packetSequenceNumber the PSN, 24 bits, or {@link #ANY_PSN}
 * @param occurrence which of the packets that all other fields match
 * @param transmission which transmission of the same packet (same direction, destination queue
 *     pair, PSN and opcode), 1 for the first, or {@link #ANY_TRANSMISSION}; counted since the rule
 *     was added
 */
public record Match(
    String from,
    String to,
    PacketClass packetClass,
    @Nullable Opcode opcode,
    int packetSequenceNumber,
    Occurrence occurrence,
    int transmission) {
  /** Stands for every node. */
  public static final String ANY_NODE = "*";

  /** Stands for every PSN. */
  public static final int ANY_PSN = -1;

  /** Stands for first transmissions and repeated ones alike. */
  public static final int ANY_TRANSMISSION = 0;

  /**
   * Checks each field.
   *
   * @param from as the component
   * @param to as the component
   * @param packetClass as the component
   * @param opcode as the component
   * @param packetSequenceNumber as the component
   * @param occurrence as the component
   * @param transmission as the component
   * @throws IllegalArgumentException if a field is outside what its description allows
   */
  public Match {
    checkNode("source", from);
    checkNode("destination", to);
    if (opcode != null && packetClass != PacketClass.ANY) {
      throw new IllegalArgumentException(
          "a match names either the opcode "
              + opcode
              + " or the class "
              + packetClass
              + ", not both; use class ANY with an opcode");
    }
    if (packetSequenceNumber != ANY_PSN
        && (packetSequenceNumber & ~PacketSequenceNumbers.MASK) != 0) {
      throw new IllegalArgumentException(
          "PSN " + packetSequenceNumber + " does not fit 24 bits; legal are 0 to 0xFFFFFF");
    }
    if (transmission < ANY_TRANSMISSION) {
      throw new IllegalArgumentException(
          "transmission " + transmission + " is not 1 or more (0 for any)");
    }
  }

  private static void checkNode(String side, String name) {
    if (!name.equals(ANY_NODE) && !isNodeName(name)) {
      throw new IllegalArgumentException(
          side + " \"" + name + "\" is neither a node name (letters, digits, '-', '_', '.') nor *");
    }
  }

  /**
   * Tells whether a text may be the name of a node: it is then legal in a rule's text form.
   *
   * @param name any text
   * @return whether it is one or more of the letters a to z in either case, digits, {@code -},
   *     {@code _} and {@code .}
   */
  public static boolean isNodeName(String name) {
    return !name.isEmpty() && name.chars().allMatch(Match::isNodeNameCharacter);
  }

  private static boolean isNodeNameCharacter(int character) {
    return (character >= 'a' && character <= 'z')
        || (character >= 'A' && character <= 'Z')
        || (character >= '0' && character <= '9')
        || character == '-'
        || character == '_'
        || character == '.';
  }

  /**
   * All packets of one kind in one direction.
   *
   * @param from name of the sending node, or {@link #ANY_NODE}
   * @param to name of the destination, or {@link #ANY_NODE}
   * @param packetClass the kind
   * @return the match
   */
  public static Match of(String from, String to, PacketClass packetClass) {
    return new Match(from, to, packetClass, null, ANY_PSN, Occurrence.ALL, ANY_TRANSMISSION);
  }

  /**
   * All packets with one opcode in one direction.
   *
   * @param from name of the sending node, or {@link #ANY_NODE}
   * @param to name of the destination, or {@link #ANY_NODE}
   * @param opcode the opcode
   * @return the match
   */
  public static Match of(String from, String to, Opcode opcode) {
    return new Match(from, to, PacketClass.ANY, opcode, ANY_PSN, Occurrence.ALL, ANY_TRANSMISSION);
  }

  /**
   * The same, but only the packets with this PSN.
   *
   * @param psn 24 bits
   * @return a new match
   */
  public Match withPacketSequenceNumber(int psn) {
    return new Match(from, to, packetClass, opcode, psn, occurrence, transmission);
  }

  /**
   * The same, but only the n-th such packet, 1 for the first.
   *
   * @param number 1 or more
   * @return a new match
   */
  public Match withOccurrence(long number) {
    return withOccurrence(new Occurrence(number, number));
  }

  /**
   * The same, but only those of such packets.
   *
   * @param numbers their numbers
   * @return a new match
   */
  public Match withOccurrence(Occurrence numbers) {
    return new Match(from, to, packetClass, opcode, packetSequenceNumber, numbers, transmission);
  }

  /**
   * The same, but only the k-th transmission of a packet, 1 for the first.
   *
   * @param number 1 or more
   * @return a new match
   */
  public Match withTransmission(int number) {
    return new Match(from, to, packetClass, opcode, packetSequenceNumber, occurrence, number);
  }

  /**
   * Tells whether a packet has the kind or opcode, and the PSN. Direction, occurrence and
   * transmission are known only to the one who counts.
   *
   * @param packet a packet with an opcode
   * @return whether both agree
   */
  public boolean matchesFields(Packet packet) {
    boolean kind = opcode == null ? packetClass.matches(packet) : packet.opcode() == opcode;
    return kind && (packetSequenceNumber == ANY_PSN || packetSequenceNumber == packet.psn());
  }

  /** The text form, such as {@code bob>alice/ACK#1}. */
  @Override
  public String toString() {
    String psn =
        packetSequenceNumber == ANY_PSN
            ? ""
            : String.format(Locale.ROOT, "@0x%06X", packetSequenceNumber);
    String repeat = transmission == ANY_TRANSMISSION ? "" : "~" + transmission;
    String kind = opcode == null ? packetClass.name() : opcode.name();
    return from + ">" + to + "/" + kind + psn + occurrence + repeat;
  }
}
