package io.roceverbs.sim.diagram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.roceverbs.sim.trace.Trace;
import io.roceverbs.sim.trace.TraceEvent;
import io.roceverbs.sim.trace.TraceEvent.Noted;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventRecorderTest {
  private static final TraceEvent FIRST = new Noted(1, "host", "first");
  private static final TraceEvent SECOND = new Noted(2, "host", "second");
  private static final TraceEvent THIRD = new Noted(3, "host", "third");

  @Test
  void itKeepsTheFirstEventsAndCountsTheOthers() {
    EventRecorder recorder = new EventRecorder(2);
    Trace trace = new Trace();
    trace.addListener(recorder);
    trace.record(FIRST);
    trace.record(SECOND);
    trace.record(THIRD);
    assertThat(recorder.events()).containsExactly(FIRST, SECOND);
    assertThat(recorder.leftOut()).isEqualTo(1);
  }

  @Test
  void aClearedRecorderBeginsAnew() {
    EventRecorder recorder = new EventRecorder(1);
    recorder.onEvent(FIRST);
    recorder.onEvent(SECOND);
    recorder.clear();
    recorder.onEvent(THIRD);
    assertThat(recorder.events()).containsExactly(THIRD);
    assertThat(recorder.leftOut()).isZero();
  }

  @Test
  void itsListOfEventsDoesNotChangeAfterwards() {
    EventRecorder recorder = new EventRecorder();
    recorder.onEvent(FIRST);
    List<TraceEvent> events = recorder.events();
    recorder.onEvent(SECOND);
    assertThat(events).containsExactly(FIRST);
  }

  @Test
  void aLimitThatIsNoneIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new EventRecorder(0))
        .withMessage("a recorder keeps 1 to 1000000 events, not 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new EventRecorder(1_000_001))
        .withMessage("a recorder keeps 1 to 1000000 events, not 1000001");
  }
}
