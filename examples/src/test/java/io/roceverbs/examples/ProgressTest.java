package io.roceverbs.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

/** When the progress line appears, by a clock of the test's own. */
class ProgressTest {
  private static final long MILLISECOND = 1_000_000;

  private final StringWriter text = new StringWriter();
  private long nowNanos;

  private Progress progress(boolean isWatched) {
    return new Progress(new PrintWriter(text), isWatched, () -> nowNanos, 500);
  }

  private void updateAt(Progress progress, long milliseconds, int iterations) {
    nowNanos = milliseconds * MILLISECOND;
    progress.update(iterations);
  }

  @Test
  void theLineAppearsAfterASecondAndIsThenRewrittenNowAndThen() {
    Progress progress = progress(true);
    updateAt(progress, 999, 10);
    assertThat(text.toString()).isEmpty();

    updateAt(progress, 1_000, 11);
    updateAt(progress, 1_199, 12);
    updateAt(progress, 1_200, 13);

    assertThat(text.toString()).isEqualTo("\r11 of 500 iterations\r13 of 500 iterations");
  }

  @Test
  void theLineIsTakenAwayAtTheEnd() {
    Progress progress = progress(true);
    updateAt(progress, 1_000, 499);

    progress.end();

    assertThat(text.toString()).isEqualTo("\r499 of 500 iterations\r" + " ".repeat(21) + "\r");
  }

  @Test
  void aShortRunShowsNothing() {
    Progress progress = progress(true);
    updateAt(progress, 900, 500);
    progress.end();

    assertThat(text.toString()).isEmpty();
  }

  @Test
  void nothingIsWrittenWhereNobodyWatches() {
    Progress progress = progress(false);
    updateAt(progress, 5_000, 100);
    progress.end();

    assertThat(text.toString()).isEmpty();
  }
}
