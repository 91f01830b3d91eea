package io.roceverbs.sim.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class SyndromeTest {
  @ParameterizedTest
  @CsvSource({
    "0x00, ACK, 0",
    "0x1F, ACK, 31",
    "0x20, RNR_NAK, 0",
    "0x2C, RNR_NAK, 12",
    "0x3F, RNR_NAK, 31",
    "0x40, RESERVED, 0",
    "0x5F, RESERVED, 31",
    "0x60, NAK, 0",
    "0x7F, NAK, 31",
    "0x80, RESERVED, 0",
    "0xE3, RESERVED, 3",
  })
  void theUpperThreeBitsTellTheKind(int syndrome, SyndromeKind kind, int code) {
    assertThat(Syndrome.kind(syndrome)).isEqualTo(kind);
    assertThat(Syndrome.code(syndrome)).isEqualTo(code);
  }

  @Test
  void syndromesAreBuiltFromTheirCodes() {
    assertThat(Syndrome.ackSyndrome(Syndrome.CREDITS_UNLIMITED)).isEqualTo(0x1F);
    assertThat(Syndrome.rnrSyndrome(12)).isEqualTo(0x2C);
    assertThat(Syndrome.nakSyndrome(NakCode.PSN_SEQUENCE_ERROR)).isEqualTo(0x60);
    assertThat(Syndrome.nakSyndrome(NakCode.INVALID_REQUEST)).isEqualTo(0x61);
    assertThat(Syndrome.nakSyndrome(NakCode.REMOTE_ACCESS_ERROR)).isEqualTo(0x62);
    assertThat(Syndrome.nakSyndrome(NakCode.REMOTE_OPERATIONAL_ERROR)).isEqualTo(0x63);
  }

  @ParameterizedTest
  @EnumSource
  void theReasonOfANakIsFoundAgain(NakCode code) {
    assertThat(Syndrome.nakCode(Syndrome.nakSyndrome(code))).isSameAs(code);
    assertThat(NakCode.of(code.value())).isSameAs(code);
  }

  @Test
  void whatIsNotANakHasNoReason() {
    assertThat(Syndrome.nakCode(0x01)).isNull();
    assertThat(Syndrome.nakCode(0x21)).isNull();
    assertThat(Syndrome.nakCode(0x65)).isNull();
    assertThat(NakCode.of(-1)).isNull();
    assertThat(NakCode.of(5)).isNull();
  }

  @Test
  void aCodeOfMoreThanFiveBitsIsRefused() {
    assertThatThrownBy(() -> Syndrome.ackSyndrome(32))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("credit code 32 is not in 0 to 31");
    assertThatThrownBy(() -> Syndrome.rnrSyndrome(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("RNR timer code -1 is not in 0 to 31");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 655360000",
    "1, 10000",
    "2, 20000",
    "5, 60000",
    "12, 640000",
    "14, 1280000",
    "25, 61440000",
    "31, 491520000",
  })
  void theRnrTimerHasItsTable(int code, long nanos) {
    assertThat(RnrTimer.nanos(code)).isEqualTo(nanos);
  }

  @Test
  void theRnrTimerGrowsFromCodeOneToCodeZero() {
    for (int code = 2; code <= RnrTimer.CODE_MAX; code++) {
      assertThat(RnrTimer.nanos(code)).isGreaterThan(RnrTimer.nanos(code - 1));
    }
    assertThat(RnrTimer.nanos(0)).isGreaterThan(RnrTimer.nanos(RnrTimer.CODE_MAX));
    assertThatThrownBy(() -> RnrTimer.nanos(32))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("RNR timer code 32 is not in 0 to 31");
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "1, 8192", "14, 67108864", "17, 536870912", "31, 8796093022208"})
  void theAckTimeoutDoublesWithEachCode(int code, long nanos) {
    assertThat(AckTimeout.nanos(code)).isEqualTo(nanos);
  }

  @Test
  void anAckTimeoutCodeOfMoreThanFiveBitsIsRefused() {
    assertThatThrownBy(() -> AckTimeout.nanos(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("ACK timeout code -1 is not in 0 to 31");
  }
}
