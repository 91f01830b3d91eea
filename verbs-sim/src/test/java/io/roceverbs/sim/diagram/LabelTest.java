package io.roceverbs.sim.diagram;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class LabelTest {
  private static String textOf(Long... requestIds) {
    return new Label("post", List.of(requestIds), "RECV 64 B").text();
  }

  @Test
  void consecutiveRequestsAreARange() {
    assertThat(textOf(101L, 102L, 103L)).isEqualTo("post wr 101–103 RECV 64 B");
    assertThat(textOf(1L, 2L, 5L, 9L, 10L)).isEqualTo("post wr 1–2, 5, 9–10 RECV 64 B");
  }

  @Test
  void manyScatteredRequestsAreCounted() {
    assertThat(textOf(1L, 3L, 5L, 7L, 9L)).isEqualTo("post wr 1 and 4 more RECV 64 B");
  }

  @Test
  void aRequestIdIsUnsignedAsInTheCInterface() {
    assertThat(textOf(-1L)).isEqualTo("post wr 18446744073709551615 RECV 64 B");
  }

  @Test
  void onlyLabelsThatDifferInTheirRequestsAreAlike() {
    Label label = Label.ofRequest("post", 1, "RECV");
    assertThat(label.isAlike(Label.ofRequest("post", 9, "RECV"))).isTrue();
    assertThat(label.isAlike(Label.ofRequest("poll", 9, "RECV"))).isFalse();
    assertThat(label.isAlike(Label.ofRequest("post", 9, "SEND"))).isFalse();
    assertThat(Label.plain("QP 17").isAlike(Label.plain("QP 17"))).isFalse();
  }
}
