package io.roceverbs.sim.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class OpcodeTest {
  @ParameterizedTest
  @EnumSource
  void everyOpcodeIsFoundByItsValue(Opcode opcode) {
    assertThat(Opcode.of(opcode.value())).isSameAs(opcode);
  }

  @Test
  void everyValueOfTheRcClassHasAnOpcodeAndOthersOnlyIfTheyMeanSomething() {
    int[] known = new int[8];
    for (int value = 0; value < 256; value++) {
      known[value >> 5] += Opcode.of(value) == null ? 0 : 1;
    }
    assertThat(known).containsExactly(32, 12, 0, 2, 1, 23, 0, 0);
  }

  @Test
  void theReservedValuesOfTheRcClassAreOneOpcode() {
    for (int value : new int[] {0x15, 0x18, 0x19, 0x1A, 0x1B, 0x1E, 0x1F}) {
      assertThat(Opcode.of(value)).as("0x%02x", value).isSameAs(Opcode.RC_RESERVED);
    }
    assertThat(Opcode.RC_RESERVED.isRequest()).isTrue();
    assertThat(Opcode.RC_RESERVED.startsMessage()).isFalse();
    assertThat(Opcode.RC_RESERVED.endsMessage()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "RC_SEND_FIRST, 0x00, 0",
    "RC_SEND_LAST_WITH_IMMEDIATE, 0x03, 4",
    "RC_SEND_ONLY, 0x04, 0",
    "RC_WRITE_FIRST, 0x06, 16",
    "RC_WRITE_LAST_WITH_IMMEDIATE, 0x09, 4",
    "RC_WRITE_ONLY_WITH_IMMEDIATE, 0x0B, 20",
    "RC_READ_REQUEST, 0x0C, 16",
    "RC_READ_RESPONSE_FIRST, 0x0D, 4",
    "RC_READ_RESPONSE_MIDDLE, 0x0E, 0",
    "RC_ACKNOWLEDGE, 0x11, 4",
    "RC_ATOMIC_ACKNOWLEDGE, 0x12, 12",
    "RC_COMPARE_SWAP, 0x13, 28",
    "RC_FETCH_ADD, 0x14, 28",
    "RC_SEND_LAST_WITH_INVALIDATE, 0x16, 4",
    "RC_SEND_ONLY_WITH_INVALIDATE, 0x17, 4",
    "RC_FLUSH, 0x1C, 20",
    "RC_ATOMIC_WRITE, 0x1D, 16",
    "UC_SEND_ONLY, 0x24, 0",
    "UC_WRITE_ONLY_WITH_IMMEDIATE, 0x2B, 20",
    "UD_SEND_ONLY, 0x64, 8",
    "UD_SEND_ONLY_WITH_IMMEDIATE, 0x65, 12",
    "CNP, 0x81, 0",
    "XRC_SEND_ONLY, 0xA4, 4",
    "XRC_WRITE_ONLY_WITH_IMMEDIATE, 0xAB, 24",
    "XRC_READ_RESPONSE_ONLY, 0xB0, 4",
    "XRC_FETCH_ADD, 0xB4, 32",
    "XRC_SEND_ONLY_WITH_INVALIDATE, 0xB7, 8",
  })
  void valueAndHeaderLengthAreThoseOfTheSpecification(Opcode opcode, int value, int bytes) {
    assertThat(opcode.value()).isEqualTo(value);
    assertThat(opcode.extendedHeaderBytes()).isEqualTo(bytes);
  }

  @Test
  void thePayloadlessOpcodesAreTheRequestsForDataAndTheAcknowledgements() {
    String without =
        Arrays.stream(Opcode.values())
            .filter(opcode -> !opcode.carriesPayload())
            .map(Opcode::name)
            .collect(Collectors.joining(" "));
    assertThat(without)
        .isEqualTo(
            "RC_READ_REQUEST RC_ACKNOWLEDGE RC_ATOMIC_ACKNOWLEDGE"
                + " RC_COMPARE_SWAP RC_FETCH_ADD RC_FLUSH"
                + " XRC_READ_REQUEST XRC_ACKNOWLEDGE XRC_ATOMIC_ACKNOWLEDGE"
                + " XRC_COMPARE_SWAP XRC_FETCH_ADD");
  }

  @ParameterizedTest
  @EnumSource
  void aPacketIsARequestOrAResponseUnlessItIsACongestionNotification(Opcode opcode) {
    assertThat(opcode.isRequest() ^ opcode.isResponse()).isEqualTo(opcode != Opcode.CNP);
  }

  @ParameterizedTest
  @EnumSource
  void thePositionInTheMessageIsThatOfTheName(Opcode opcode) {
    if (opcode == Opcode.RC_RESERVED || opcode == Opcode.CNP) {
      return;
    }
    String name = opcode.name();
    boolean middle = name.endsWith("_MIDDLE");
    assertThat(opcode.startsMessage()).isEqualTo(!middle && !name.contains("_LAST"));
    assertThat(opcode.endsMessage()).isEqualTo(!middle && !name.contains("_FIRST"));
  }

  @ParameterizedTest
  @EnumSource
  void theFamilyAndTheTransportAreThoseOfTheName(Opcode opcode) {
    String name = opcode.name();
    assertThat(opcode.isSend()).isEqualTo(name.contains("_SEND_"));
    assertThat(opcode.isWrite()).isEqualTo(name.matches("(RC|UC|XRC)_WRITE_.*"));
    assertThat(opcode.isReadResponse()).isEqualTo(name.contains("READ_RESPONSE"));
    assertThat(opcode.hasImmediate()).isEqualTo(name.endsWith("WITH_IMMEDIATE"));
    assertThat(opcode.hasInvalidate()).isEqualTo(name.endsWith("WITH_INVALIDATE"));
    assertThat(opcode.isAtomicRequest()).isEqualTo(opcode.hasAtomicEth());
    assertThat(name).startsWith(opcode.transportClass().name());
  }
}
