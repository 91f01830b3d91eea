package io.roceverbs.sim.diagram;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WordWrapTest {
  @Test
  void balancedLinesLeaveNoWordOver() {
    assertThat(WordWrap.balanced("dropped by rule: ACKNOWLEDGE from target, 1st", 43))
        .containsExactly("dropped by rule: ACKNOWLEDGE", "from target, 1st");
  }

  @Test
  void filledLinesHoldAsMuchAsTheyCan() {
    assertThat(WordWrap.filled("dropped by rule: ACKNOWLEDGE from target, 1st", 43))
        .containsExactly("dropped by rule: ACKNOWLEDGE from target,", "1st");
  }

  @Test
  void aWordLongerThanALineIsBroken() {
    assertThat(WordWrap.filled("a 0123456789 b", 4)).containsExactly("a", "0123", "4567", "89 b");
    assertThat(WordWrap.balanced("0123456789", 4)).containsExactly("0123", "4567", "89");
  }

  @Test
  void aBreakNeverPartsASurrogatePair() {
    assertThat(WordWrap.filled("abc\uD83D\uDE00d", 4)).containsExactly("abc", "\uD83D\uDE00d");
  }

  @Test
  void anEmptyLabelIsOneEmptyLine() {
    assertThat(WordWrap.balanced("", 10)).containsExactly("");
    assertThat(WordWrap.filled(" \n\t ", 10)).containsExactly("");
  }

  @Test
  void lineFeedsAreBlanks() {
    assertThat(WordWrap.balanced("one\r\ntwo", 10)).containsExactly("one two");
  }
}
