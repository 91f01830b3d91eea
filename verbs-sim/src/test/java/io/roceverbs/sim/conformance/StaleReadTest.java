package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.verbs.AccessFlag;
import io.roceverbs.verbs.MemoryWindow;
import io.roceverbs.verbs.MemoryWindowType;
import io.roceverbs.verbs.QueuePairState;
import org.junit.jupiter.api.Test;

/** A READ that comes after its request was given up, with and without a window of its own. */
class StaleReadTest {
  private static final int BYTES = 64;

  private static void read(Pair pair, long id, long address, int rkey, Side.Memory into) {
    pair.a.queuePair.post(
        pair.a
            .request
            .reset(id)
            .rdmaRead(address, rkey)
            .segment(into.region(), 0, BYTES)
            .signaled());
    pair.run();
  }

  @Test
  @Checks("C05")
  void underOneLongLivedKeyItReadsWhatIsThereNow() {
    try (Pair pair = Pair.connected()) {
      Side.Memory buffer = pair.b.memory(BYTES, 1);
      Side.Memory into = pair.a.memory(BYTES, 0);
      buffer.fill(2);
      read(pair, 1, buffer.address(), buffer.rkey(), into);

      assertThat(pair.completions("a")).containsExactly("RDMA_READ 1 SUCCESS @20000");
      assertThat(into.slice(0, BYTES)).containsOnly(2);
    }
  }

  @Test
  @Checks("C05")
  void underAWindowOfItsOwnTheOldKeyIsDead() {
    try (Pair pair = Pair.connected()) {
      Side.Memory buffer = pair.b.windowed(BYTES, 1);
      MemoryWindow window = pair.b.window(MemoryWindowType.TYPE_2);
      pair.b.postBind(11, window, buffer, 0, BYTES, AccessFlag.REMOTE_READ);
      int first = window.rkey();
      pair.b.queuePair.post(pair.b.request.reset(12).localInvalidate(first).signaled());
      buffer.fill(2);
      pair.b.postBind(13, window, buffer, 0, BYTES, AccessFlag.REMOTE_READ);
      int second = window.rkey();
      assertThat(second & 0xFF).isEqualTo((first & 0xFF) + 1);
      Side.Memory into = pair.a.memory(BYTES, 0);
      read(pair, 1, buffer.address(), second, into);
      read(pair, 2, buffer.address(), first, into);

      assertThat(pair.completions("b").subList(0, 3))
          .containsExactly(
              "BIND_MW 11 SUCCESS @0", "LOCAL_INV 12 SUCCESS @0", "BIND_MW 13 SUCCESS @0");
      assertThat(into.slice(0, BYTES)).containsOnly(2);
      assertThat(pair.completions("a"))
          .containsExactly("RDMA_READ 1 SUCCESS @20000", "RDMA_READ 2 REM_ACCESS_ERR @40000");
      assertThat(pair.a.state()).isEqualTo(QueuePairState.ERR);
    }
  }
}
