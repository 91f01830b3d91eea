package io.roceverbs.sim.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.verbs.CompletionOpcode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The ring of a completion queue, as both its sides see it. */
class CompletionRingTest {
  private static void complete(CompletionRing ring, SlotHolder holder, long id) {
    CompletionRing.Entry entry = ring.blank();
    entry.completion.setSuccess(id, 1, CompletionOpcode.SEND, 0);
    entry.of(holder);
    entry.send = id % 2 == 0;
    entry.freesUpTo = id;
    ring.append();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theSlotIsFreedWhenThePlaceIsFree(boolean isShared) {
    CompletionRing ring = new CompletionRing(1, isShared);
    List<String> freed = new ArrayList<>();
    SlotHolder holder =
        (send, freesUpTo) -> freed.add(send + " " + freesUpTo + " full=" + ring.isFull());
    for (long id = 1; id <= 3; id++) {
      complete(ring, holder, id);
      assertThat(ring.isFull()).isTrue();
      ring.beginPoll();
      assertThat(ring.showNext().completion.id()).isEqualTo(id);
      assertThat(ring.isFull()).as("shown, and not yet given back").isTrue();
      ring.releaseShown();
      ring.endPoll();
    }
    assertThat(freed)
        .containsExactly("false 1 full=false", "true 2 full=false", "false 3 full=false");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void nothingIsDroppedFromARingThatHasRoom(boolean isShared) {
    CompletionRing ring = new CompletionRing(2, isShared);
    SlotHolder holder = (send, freesUpTo) -> {};
    complete(ring, holder, 1);

    assertThat(ring.dropOldest()).isFalse();
    assertThat(ring.unread()).isEqualTo(1);
    complete(ring, holder, 2);
    assertThat(ring.dropOldest()).isTrue();
    assertThat(ring.unread()).isEqualTo(1);
    assertThat(ring.showNext().completion.id()).isEqualTo(2);
  }
}
