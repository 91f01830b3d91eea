package io.roceverbs.sim.qp;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.memory.KeyTable;
import io.roceverbs.sim.profile.DeviceProfile;
import io.roceverbs.sim.trace.Trace;
import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.QueuePairAttributes;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.QueuePairType;
import io.roceverbs.verbs.SendOpcode;
import io.roceverbs.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * In real time a request is checked and gets its slot before it reaches the engine, and another
 * thread may have moved the queue pair meanwhile.
 */
class LatePostTest {
  private static final int SLOTS = 2;

  private final List<String> completions = new ArrayList<>();
  private final QueuePairEngine engine =
      new QueuePairEngine(0x11, QueuePairType.RC, 1, SLOTS, SLOTS, null, true, context(), owner());

  private static EngineContext context() {
    DeviceProfile profile = DeviceProfile.strict();
    return new EngineContext(
        "a",
        new KeyTable(1, profile),
        List.of(new TransportStatistics()),
        new Trace(),
        new WorkCompletion(),
        0xFFFF,
        List.of(new PortLink(4_096, 0)),
        profile,
        true,
        1);
  }

  private QueuePairOwner owner() {
    return new QueuePairOwner() {
      @Override
      public void completed(
          WorkCompletion completion, boolean send, boolean solicited, long freesUpTo) {
        completions.add(completion.id() + " " + completion.status());
        (send ? engine.sendSlots() : engine.receiveSlots()).freeUpTo(freesUpTo);
      }

      @Override
      public @Nullable SharedReceiveEngine nameSharedReceiveQueue(int number) {
        return null;
      }

      @Override
      public void raise(AsyncEventType type) {
        completions.add(type.toString());
      }
    };
  }

  private void move(QueuePairState state) {
    engine.modify(0, state, QueuePairAttributes.to(state).port(1).build(), null);
  }

  private void sendArrives(long id) {
    SendWork work = new SendWork();
    work.reset(id, SendOpcode.RDMA_WRITE, 0);
    engine.exchangeSend(work);
    engine.postSend(0);
  }

  private void receiveArrives(long id) {
    ReceiveWork work = new ReceiveWork();
    work.reset(id);
    engine.exchangeReceive(work);
    engine.postReceive(0);
  }

  @Test
  void whatArrivesInResetIsPurgedLikeAllBeforeItAndItsSlotIsFree() {
    assertThat(engine.sendSlots().claim(1)).isTrue();
    assertThat(engine.receiveSlots().claim(1)).isTrue();

    sendArrives(1);
    receiveArrives(2);

    assertThat(engine.mayTransmit()).as("it is not sent in the next life").isFalse();
    assertThat(completions).isEmpty();
    assertThat(engine.incompleteSends()).isZero();
    assertThat(engine.incompleteReceives()).isZero();
    assertThat(engine.sendSlots().free()).isEqualTo(SLOTS);
    assertThat(engine.receiveSlots().free()).isEqualTo(SLOTS);
  }

  @Test
  void aSendThatArrivesInInitIsPurgedAndAReceiveStays() {
    move(QueuePairState.INIT);
    assertThat(engine.sendSlots().claim(1)).isTrue();
    assertThat(engine.receiveSlots().claim(1)).isTrue();

    sendArrives(1);
    receiveArrives(2);

    assertThat(completions).isEmpty();
    assertThat(engine.sendSlots().free()).isEqualTo(SLOTS);
    assertThat(engine.receiveSlots().free()).isEqualTo(SLOTS - 1);
    assertThat(engine.incompleteReceives()).isEqualTo(1);
  }

  @Test
  void whatArrivesInErrIsFlushed() {
    move(QueuePairState.ERR);
    assertThat(engine.sendSlots().claim(1)).isTrue();
    assertThat(engine.receiveSlots().claim(1)).isTrue();

    sendArrives(1);
    receiveArrives(2);

    assertThat(completions).containsExactly("1 WR_FLUSH_ERR", "2 WR_FLUSH_ERR");
    assertThat(engine.sendSlots().free()).isEqualTo(SLOTS);
    assertThat(engine.receiveSlots().free()).isEqualTo(SLOTS);
  }
}
