package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.roceverbs.verbs.CompletionQueue;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.VerbsException;
import io.roceverbs.verbs.WorkCompletions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A completion queue that changes its size while completions are in it. */
class CompletionQueueResizeTest {
  private final ReceivingEnd end = new ReceivingEnd();

  @AfterEach
  void closeFabric() {
    end.close();
  }

  private void messages(long from, long to) {
    for (long id = from; id <= to; id++) {
      end.message(id);
    }
  }

  private static Long[] range(long from, long to) {
    return LongStream.rangeClosed(from, to).boxed().toArray(Long[]::new);
  }

  @ParameterizedTest
  @ValueSource(ints = {5, 6, 16, 17, 100, 32_767})
  @Checks({"CQ-RESIZE", "S58", "CQTest.test_resize_cq"})
  void entriesAndTheirOrderSurviveShrinkingAndGrowing(int capacity) {
    messages(1, 5);
    end.queue.resize(capacity);

    assertThat(end.queue.capacity()).isEqualTo(capacity);
    assertThat(end.ids()).containsExactly(range(1, 5));
    assertThat(end.ids()).isEmpty();
  }

  @Test
  @Checks({"CQ-RESIZE", "S58", "CQTest.test_resize_cq"})
  void belowTheQueuedCountIsRefusedAndLosesNothing() {
    messages(1, 5);
    assertThatThrownBy(() -> end.queue.resize(4))
        .isInstanceOf(VerbsException.class)
        .hasMessageContaining("capacity 4 is less than the 5 completions in the queue")
        .extracting(e -> ((VerbsException) e).errno())
        .isEqualTo(Errno.EINVAL);

    assertThat(end.queue.capacity()).isEqualTo(ReceivingEnd.CAPACITY);
    assertThat(end.ids()).containsExactly(range(1, 5));
    end.queue.resize(4);
    assertThat(end.queue.capacity()).isEqualTo(4);
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 32_768, Integer.MAX_VALUE})
  @Checks("S58")
  void whatNoQueueCanHaveIsRefused(int capacity) {
    messages(1, 2);
    assertThatThrownBy(() -> end.queue.resize(capacity))
        .isInstanceOf(VerbsException.class)
        .hasMessageContaining("is not in 1..32767");

    assertThat(end.ids()).containsExactly(1L, 2L);
  }

  @Test
  @Checks({"CQ-RESIZE", "S58"})
  void aRingThatHasWrappedAroundKeepsItsOrder() {
    for (int shift = 1; shift < ReceivingEnd.CAPACITY; shift++) {
      end.queue.resize(ReceivingEnd.CAPACITY);
      messages(1, shift);
      assertThat(end.ids()).hasSize(shift);
      messages(100, 109);
      end.queue.resize(shift % 2 == 0 ? 10 : 23);

      assertThat(end.ids()).as("shifted by %d", shift).containsExactly(range(100, 109));
    }
  }

  @Test
  @Checks({"CQ-RESIZE", "S58"})
  void theNewSizeIsExactlyWhatFits() {
    end.queue.resize(3);
    messages(1, 3);
    assertThat(end.asyncEvents()).isEmpty();
    end.post(4);
    end.settle();

    assertThat(end.asyncEvents())
        .containsExactlyInAnyOrder("CQ_ERR", "QP_FATAL " + end.queuePair.number());
    assertThat(end.ids()).containsExactly(1L, 2L, 3L);
  }

  @Test
  @Checks({"CQ-RESIZE", "S58"})
  void growingInTimePreventsTheOverrun() {
    end.queue.resize(2);
    messages(1, 2);
    end.queue.resize(4);
    messages(3, 4);

    assertThat(end.asyncEvents()).isEmpty();
    assertThat(end.queuePair.state()).isEqualTo(QueuePairState.RTS);
    assertThat(end.ids()).containsExactly(range(1, 4));
  }

  @Test
  @Checks({"CQ-RESIZE", "S58", "SLOT-AT-POLL"})
  void resizedDuringTrafficNothingIsLostAndEachSlotComesBack() {
    int[] sizes = {16, 3, 32, 5, 7, 4, 64, 6};
    List<Long> seen = new ArrayList<>();
    WorkCompletions two = new WorkCompletions(2);
    for (int i = 0; i < 400; i++) {
      end.post(i);
      for (int step = 0; step < i % 3; step++) {
        end.fabric.step();
      }
      end.queue.resize(sizes[i % sizes.length]);
      if (i % 2 == 1) {
        end.settle();
        while (end.queue.poll(two) > 0) {
          for (int k = 0; k < two.size(); k++) {
            seen.add(two.get(k).requireSuccess().id());
          }
        }
      }
    }

    assertThat(seen).containsExactly(range(0, 399));
    assertThat(end.asyncEvents()).isEmpty();
  }

  @Test
  @Checks("CQ-RESIZE")
  void anArmedQueueStaysArmed() {
    end.queue.requestNotification(false);
    end.queue.resize(5);
    end.message(1);

    assertThat(end.events()).isEqualTo(1);
  }

  @Test
  @Checks("CQ-PURGE")
  void aResetAfterAResizeFindsItsCompletions() {
    CompletionQueue shared = end.queue;
    messages(1, 3);
    shared.resize(3);
    ReceivingEnd.toState(end.queuePair, QueuePairState.RESET);

    assertThat(end.ids()).isEmpty();
  }

  @Test
  void aClosedQueueIsNotResized() {
    end.queuePair.close();
    end.queue.close();
    assertThatThrownBy(() -> end.queue.resize(4))
        .isInstanceOf(VerbsException.class)
        .hasMessageContaining("was closed");
  }
}
