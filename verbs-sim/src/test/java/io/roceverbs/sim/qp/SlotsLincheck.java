package io.roceverbs.sim.qp;

import io.roceverbs.sim.Interleavings;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/** The slots of a queue are linearizable. */
class SlotsLincheck {
  /** Calls of this group hold the lock of the polls: one at a time. */
  private static final String POLLS = "polls";

  private static final int SLOTS = 3;

  /** Threads that claim slots, and polls that free them. */
  @Param(name = "count", gen = IntGen.class, conf = "1:2")
  public static class Claiming {
    private final SlotCount slots = new SlotCount(SLOTS, true);

    @Operation
    public boolean claim(@Param(name = "count") int count) {
      return slots.claim(count);
    }

    @Operation
    public int free() {
      return slots.free();
    }

    @Operation(nonParallelGroup = POLLS)
    public boolean freeOne() {
      if (slots.free() == SLOTS) {
        return false;
      }
      slots.freeUpTo(slots.freed() + 1);
      return true;
    }
  }

  @Test
  void noSlotIsClaimedTwiceAndNoneIsRefusedThatIsFree() {
    Interleavings.check(Claiming.class, 3);
  }
}
