package io.roceverbs.sim.fabric.impair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.roceverbs.sim.fault.Occurrence;
import io.roceverbs.sim.wire.NakCode;
import io.roceverbs.sim.wire.Opcode;
import io.roceverbs.sim.wire.Packet;
import io.roceverbs.sim.wire.Syndrome;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RuleTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "drop:bob>alice/ACK#1",
        "drop:*>*/ANY",
        "delay=1ms:alice>bob/RC_SEND_ONLY@0x000100#1",
        "delay=1500ns:alice>bob/WRITE",
        "delay=2s:alice>*/READ_REQUEST",
        "behind:alice>bob/SEND#2-4",
        "duplicate:a>b/SEND#2~1",
        "duplicate=3:a>b/SEND",
        "duplicate=1+10us:a>b/SEND",
        "duplicate=2+3packets:a>b/SEND",
        "corrupt:a>b/READ_RESPONSE",
        "mark:a>b/WRITE#3",
        "corrupt=12:node-1.x_y>b/CNP~2",
        "drop:a>b/ACK#2+",
        "drop:a>b/RNR_NAK@0xFFFFFF#5000000000"
      })
  void aRuleSurvivesItsTextForm(String token) {
    Rule rule = Rule.parse(token);

    assertThat(rule).hasToString(token);
    assertThat(Rule.parse(rule.toString())).isEqualTo(rule);
  }

  @Test
  void theTextFormMeansWhatItsPartsSay() {
    assertThat(Rule.parse("duplicate=2+1ms:alice>bob/RC_SEND_ONLY@0x000100#2-5~3"))
        .isEqualTo(
            new Rule(
                Match.of("alice", "bob", Opcode.RC_SEND_ONLY)
                    .withPacketSequenceNumber(0x100)
                    .withOccurrence(new Occurrence(2, 5))
                    .withTransmission(3),
                new Verdict.Duplicate(2, 1_000_000, 0)));
  }

  @Test
  void numbersMayBeDecimalOrHexadecimalAndNeverOctal() {
    assertThat(Rule.parse("drop:a>b/ACK@010").match().packetSequenceNumber()).isEqualTo(10);
    assertThat(Rule.parse("drop:a>b/ACK@0x10").match().packetSequenceNumber()).isEqualTo(16);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "drop                     | there is no ':' between verdict and source",
        "drop:alice/ACK           | there is no '>' between source and destination",
        "drop:alice>bob           | there is no '/' between destination and kind",
        "drp:a>b/ACK              | verdict \"drp\" is unknown; legal are drop, delay=<time>",
        "drop=1:a>b/ACK           | verdict \"drop\" takes no value",
        "behind=1:a>b/ACK         | verdict \"behind\" takes no value",
        "delay:a>b/ACK            | time \"\" is not a whole number and one of ns, us, ms, s",
        "delay=5:a>b/ACK          | time \"5\" is not a whole number and one of ns, us, ms, s",
        "delay=-5ms:a>b/ACK       | time \"-5ms\" is not a whole number",
        "delay=0ms:a>b/ACK        | delay of 0 ns is not in 1 ns to 3600000000000 ns (1 hour)",
        "delay=2000000s:a>b/ACK   | is not in 1 ns to 3600000000000 ns (1 hour)",
        "delay=99999999999999s:a>b/ACK | time \"99999999999999s\" is too long",
        "duplicate=0:a>b/ACK      | number of copies \"0\" is not a whole number of 1 or more",
        "duplicate=17:a>b/ACK     | number of copies 17 is not in 1 to 16",
        "duplicate=1+0packets:a>b/ACK | number of packets before a copy \"0\"",
        "mark=1:a>b/ACK           | verdict \"mark\" takes no value",
        "corrupt=33024:a>b/ACK    | bit 33024 is not in -1 to 33023",
        "corrupt=x:a>b/ACK        | bit \"x\" is not a whole number of 0 or more",
        "drop:>b/ACK              | source \"\" is neither a node name",
        "drop:a>b c/ACK           | destination \"b c\" is neither a node name",
        "drop:a>b/CM_REQ          | kind \"CM_REQ\" is neither an opcode such as RC_SEND_ONLY nor",
        "drop:a>b/ACK@0x1000000   | PSN 16777216 does not fit 24 bits; legal are 0 to 0xFFFFFF",
        "drop:a>b/ACK@0xZZ        | PSN \"0xZZ\" is not a whole number of 0 or more",
        "drop:a>b/ACK#0           | occurrence \"0\" is not a whole number of 1 or more",
        "drop:a>b/ACK#3-2         | occurrences 3-2 end before they begin",
        "drop:a>b/ACK#            | occurrence \"\" is not a whole number of 1 or more",
        "drop:a>b/ACK~0           | transmission \"0\" is not a whole number of 1 or more",
        "drop:a>b/ACK#1@5         | '@' is out of place; the order is @psn #occurrence ~trans",
        "drop:a>b/ACK#1#2         | '#' is out of place"
      })
  void aMalformedRuleIsRefusedWithTheReason(String token, String reason) {
    assertThatThrownBy(() -> Rule.parse(token))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("rule \"" + token + "\": ")
        .hasMessageContaining(reason);
  }

  @Test
  void aMatchNamesAnOpcodeOrAClassButNotBoth() {
    assertThatThrownBy(
            () -> new Match("a", "b", PacketClass.ACK, Opcode.RC_SEND_ONLY, 0, Occurrence.ALL, 0))
        .hasMessageContaining("either the opcode RC_SEND_ONLY or the class ACK, not both");
  }

  @Test
  void aCopyWaitsForATimeOrForPacketsButNotForBoth() {
    assertThatThrownBy(() -> new Verdict.Duplicate(1, 5, 5))
        .hasMessage("a copy comes after a time or after a number of packets, not both");
  }

  @Test
  void classesTellThreeKindsOfAcknowledgeApart() {
    Packet ack = acknowledge(Syndrome.ackSyndrome(31));
    Packet nak = acknowledge(Syndrome.nakSyndrome(NakCode.PSN_SEQUENCE_ERROR));
    Packet rnrNak = acknowledge(Syndrome.rnrSyndrome(12));

    assertThat(classesOf(ack))
        .containsExactly(PacketClass.ANY, PacketClass.RESPONSE, PacketClass.ACK);
    assertThat(classesOf(nak))
        .containsExactly(PacketClass.ANY, PacketClass.RESPONSE, PacketClass.NAK);
    assertThat(classesOf(rnrNak))
        .containsExactly(PacketClass.ANY, PacketClass.RESPONSE, PacketClass.RNR_NAK);
  }

  @Test
  void requestsAndTheirResponsesAreOfTheirClasses() {
    assertThat(classesOf(new Packet().opcode(Opcode.RC_WRITE_LAST)))
        .containsExactly(PacketClass.ANY, PacketClass.REQUEST, PacketClass.WRITE);
    assertThat(classesOf(new Packet().opcode(Opcode.RC_FETCH_ADD)))
        .containsExactly(PacketClass.ANY, PacketClass.REQUEST, PacketClass.ATOMIC);
    assertThat(classesOf(new Packet().opcode(Opcode.RC_READ_RESPONSE_MIDDLE)))
        .containsExactly(PacketClass.ANY, PacketClass.RESPONSE, PacketClass.READ_RESPONSE);
    assertThat(classesOf(new Packet().opcode(Opcode.RC_ATOMIC_ACKNOWLEDGE)))
        .containsExactly(PacketClass.ANY, PacketClass.RESPONSE, PacketClass.ATOMIC_RESPONSE);
    assertThat(classesOf(new Packet().opcode(Opcode.CNP)))
        .containsExactly(PacketClass.ANY, PacketClass.CNP);
  }

  private static Packet acknowledge(int syndrome) {
    Packet packet = new Packet().opcode(Opcode.RC_ACKNOWLEDGE);
    packet.aeth().syndrome(syndrome);
    return packet;
  }

  private static Set<PacketClass> classesOf(Packet packet) {
    Set<PacketClass> classes = EnumSet.noneOf(PacketClass.class);
    for (PacketClass packetClass : PacketClass.values()) {
      if (packetClass.matches(packet)) {
        classes.add(packetClass);
      }
    }
    return classes;
  }
}
