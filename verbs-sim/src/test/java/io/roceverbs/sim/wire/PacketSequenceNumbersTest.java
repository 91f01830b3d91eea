package io.roceverbs.sim.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PacketSequenceNumbersTest {
  @ParameterizedTest
  @CsvSource({
    "0x000000, 1, 0x000001",
    "0xFFFFFF, 1, 0x000000",
    "0xFFFFFE, 5, 0x000003",
    "0x000000, -1, 0xFFFFFF",
    "0x800000, 0x800000, 0x000000",
  })
  void numbersWrapAt24Bits(int psn, int count, int sum) {
    assertThat(PacketSequenceNumbers.add(psn, count)).isEqualTo(sum);
  }

  @ParameterizedTest
  @CsvSource({
    "0x000005, 0x000005, 0",
    "0x000006, 0x000005, 1",
    "0x000005, 0x000006, -1",
    "0x000000, 0xFFFFFF, 1",
    "0xFFFFFF, 0x000000, -1",
    "0x7FFFFF, 0x000000, 8388607",
    "0x800000, 0x000000, -8388608",
    "0x800001, 0x000000, -8388607",
    "0x000000, 0x800001, 8388607",
    "0x000000, 0x800000, -8388608",
  })
  void theDifferenceIsSignedAndHalfWayRoundCountsAsBefore(int a, int b, int difference) {
    assertThat(PacketSequenceNumbers.difference(a, b)).isEqualTo(difference);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 1024, 1",
    "1, 1024, 1",
    "1024, 1024, 1",
    "1025, 1024, 2",
    "4096, 1024, 4",
    "5000, 1024, 5",
    "2147483648, 256, 8388608",
    "2147483648, 4096, 524288",
  })
  void aMessageTakesAtLeastOneNumber(long length, int pathMtu, int count) {
    assertThat(PacketSequenceNumbers.count(length, pathMtu)).isEqualTo(count);
  }
}
