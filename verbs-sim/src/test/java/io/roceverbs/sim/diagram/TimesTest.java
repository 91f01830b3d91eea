package io.roceverbs.sim.diagram;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimesTest {
  private static final long NONE = -1;

  @ParameterizedTest
  @CsvSource({
    "0, 0 ns",
    "999, 999 ns",
    "1000, 1.000 µs",
    "10414, 10.414 µs",
    "999999, 999.999 µs",
    "67108864, 67.108 ms",
    "999999999, 999.999 ms",
    "2147483648, 2.147 s",
  })
  void aMomentIsWrittenInItsUnit(long nanos, String expected) {
    assertThat(Times.moment(nanos, NONE)).isEqualTo(expected);
  }

  @Test
  void momentsThatDifferLateGetMoreDigits() {
    assertThat(Times.moment(67_108_914, 67_108_864)).isEqualTo("67.108914 ms");
    assertThat(Times.moment(2_000_000_001, 2_000_000_000)).isEqualTo("2.000000001 s");
    assertThat(Times.moment(2_000_001_001, 2_000_000_000)).isEqualTo("2.000001 s");
    assertThat(Times.moment(67_109_000, 67_108_864)).isEqualTo("67.109 ms");
  }

  @ParameterizedTest
  @CsvSource({"999, 999 ns", "100000, 100.0 µs", "67077141, 67.1 ms", "8796093022, 8.8 s"})
  void aLengthIsRounded(long nanos, String expected) {
    assertThat(Times.length(nanos)).isEqualTo(expected);
  }
}
