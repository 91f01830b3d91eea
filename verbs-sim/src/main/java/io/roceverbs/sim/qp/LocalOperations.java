package io.roceverbs.sim.qp;

import io.roceverbs.sim.memory.AccessScope;
import io.roceverbs.sim.memory.KeyFault;
import io.roceverbs.sim.memory.KeyTable;
import io.roceverbs.sim.memory.WindowBind;
import io.roceverbs.sim.profile.ErrorSwitch.MemoryOperationStatus;
import io.roceverbs.sim.profile.WireSwitch.LocalInvalidateOrder;
import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.CompletionStatus;
import io.roceverbs.verbs.SendFlag;
import io.roceverbs.verbs.SendOpcode;
import java.util.Locale;

/** The requests that send nothing: what they do to keys on this side. */
final class LocalOperations {
  private final QueuePairEngine engine;
  private final KeyTable keys;
  private final AccessScope scope;
  private final MemoryOperationStatus failureStatus;
  private final LocalInvalidateOrder order;

  LocalOperations(QueuePairEngine engine, KeyTable keys) {
    this.engine = engine;
    this.keys = keys;
    this.scope = engine.scope();
    this.failureStatus = engine.profile().get(MemoryOperationStatus.class);
    this.order = engine.profile().get(LocalInvalidateOrder.class);
  }

  /**
   * A request was posted: an invalidation takes effect here, on a device that does not wait for its
   * turn. One that can't, since the key is not valid yet, still has its turn in the queue.
   */
  void posted(long nowNanos, SendWork work) {
    if (order == LocalInvalidateOrder.AT_POST
        && isUnfencedInvalidation(work)
        && invalidate(nowNanos, work) == KeyFault.NONE) {
      work.markExecuted();
    }
  }

  /** Whether an operation must wait for all earlier requests to complete. */
  boolean waitsForAll(SendWork work) {
    // Rule FENCE-INVALIDATE: a fence on LOCAL_INV waits for everything, and some devices always do.
    return work.opcode() == SendOpcode.LOCAL_INV
        && (work.has(SendFlag.FENCE) || order == LocalInvalidateOrder.WAIT_EARLIER);
  }

  /** Whether the next request may begin before an operation takes effect. */
  boolean isOvertaken(SendWork work) {
    return order == LocalInvalidateOrder.RELAXED_LATE
        && isUnfencedInvalidation(work)
        && !work.isStarted();
  }

  private static boolean isUnfencedInvalidation(SendWork work) {
    return work.opcode() == SendOpcode.LOCAL_INV && !work.has(SendFlag.FENCE);
  }

  KeyFault execute(long nowNanos, SendWork work) {
    return switch (work.opcode()) {
      case LOCAL_INV -> invalidate(nowNanos, work);
      case REG_MR -> register(nowNanos, work);
      case BIND_MW -> bind(nowNanos, work);
      case RDMA_WRITE,
          RDMA_WRITE_WITH_IMM,
          SEND,
          SEND_WITH_IMM,
          SEND_WITH_INV,
          RDMA_READ,
          ATOMIC_CMP_AND_SWP,
          ATOMIC_FETCH_AND_ADD,
          MASKED_ATOMIC_CMP_AND_SWP,
          MASKED_ATOMIC_FETCH_AND_ADD,
          TSO,
          DRIVER1,
          FLUSH,
          ATOMIC_WRITE,
          REG_MR_INTEGRITY ->
          throw new AssertionError(work.opcode() + " is no local operation of this device");
    };
  }

  private KeyFault invalidate(long nowNanos, SendWork work) {
    KeyFault fault = keys.invalidate(work.invalidateKey(), scope, false);
    if (fault == KeyFault.NONE) {
      engine.keyChanged(nowNanos, work.invalidateKey(), false, "LOCAL_INV");
    }
    return fault;
  }

  private KeyFault register(long nowNanos, SendWork work) {
    KeyFault fault =
        keys.register(
            work.registration(),
            scope.protectionDomain(),
            work.invalidateKey(),
            work.registrationAccess(),
            work.mapping());
    if (fault == KeyFault.NONE) {
      engine.keyChanged(nowNanos, work.invalidateKey(), true, "REG_MR");
    }
    return fault;
  }

  private KeyFault bind(long nowNanos, SendWork work) {
    WindowBind bind = work.bind();
    KeyFault fault = keys.bind(scope, bind);
    if (fault == KeyFault.NONE) {
      if (bind.oldKey() != bind.newKey()) {
        engine.keyChanged(nowNanos, bind.oldKey(), false, "BIND_MW");
      }
      engine.keyChanged(nowNanos, bind.newKey(), bind.length() != 0, "BIND_MW");
    }
    return fault;
  }

  /** How a failed operation completes; what has to be raised for it is raised. */
  CompletionStatus status(SendWork work, KeyFault fault) {
    if (work.opcode() == SendOpcode.BIND_MW) {
      return CompletionStatus.MW_BIND_ERR;
    }
    return switch (failureStatus) {
      case MW_BIND_ERR -> CompletionStatus.MW_BIND_ERR;
      case LOC_QP_OP_ERR -> CompletionStatus.LOC_QP_OP_ERR;
      case GENERAL_ERR_IF_VALID -> {
        if (fault != KeyFault.ALREADY_VALID) {
          yield CompletionStatus.MW_BIND_ERR;
        }
        engine.raise(AsyncEventType.QP_FATAL);
        yield CompletionStatus.GENERAL_ERR;
      }
    };
  }

  /** Says in words what a failed operation hit. */
  static String describe(SendWork work, KeyFault fault) {
    int key = work.opcode() == SendOpcode.BIND_MW ? work.bind().oldKey() : work.invalidateKey();
    return String.format(Locale.ROOT, "%s of key 0x%08x: %s", work.opcode(), key, fault.text());
  }
}
