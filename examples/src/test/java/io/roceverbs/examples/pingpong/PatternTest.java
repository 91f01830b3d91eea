package io.roceverbs.examples.pingpong;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.examples.pingpong.PingPongEnd.Role;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** Whether a wrong byte is found. */
class PatternTest {
  private static final int BYTES = 300;

  private static ByteBuffer message(int round, Role sender) {
    ByteBuffer message = ByteBuffer.allocate(BYTES);
    Pattern.fill(message, round, sender);
    return message;
  }

  @Test
  void theSameMessageHasNoMismatch() {
    assertThat(Pattern.mismatch(message(5, Role.CLIENT), BYTES, 5, Role.CLIENT)).isEmpty();
  }

  @Test
  void oneChangedByteIsNamedWithBothValues() {
    ByteBuffer message = message(5, Role.CLIENT);
    int right = message.get(299) & 0xFF;
    message.put(299, (byte) (right ^ 0x01));

    assertThat(Pattern.mismatch(message, BYTES, 5, Role.CLIENT))
        .isEqualTo("byte 299 is 0x%02x instead of 0x%02x".formatted(right ^ 0x01, right));
  }

  @Test
  void anOldMessageAndOneOfTheOtherSideAreWrong() {
    assertThat(Pattern.mismatch(message(4, Role.CLIENT), BYTES, 5, Role.CLIENT))
        .startsWith("byte ");
    assertThat(Pattern.mismatch(message(5, Role.SERVER), BYTES, 5, Role.CLIENT))
        .startsWith("byte ");
  }

  @Test
  void aShortMessageIsWrong() {
    assertThat(Pattern.mismatch(message(5, Role.CLIENT).limit(299), BYTES, 5, Role.CLIENT))
        .isEqualTo("it has 299 bytes instead of 300");
  }
}
