package io.roceverbs.sim.device;

import io.roceverbs.sim.profile.DeviceProfile;
import io.roceverbs.sim.qp.QueuePairEngine;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.QueuePairInit;
import io.roceverbs.verbs.SendOpcode;
import io.roceverbs.verbs.SendOperation;
import io.roceverbs.verbs.SendRequest;
import io.roceverbs.verbs.VerbsException;
import org.jspecify.annotations.Nullable;

/** What is checked of batches of sends: when their queue pair is made, and at the complete. */
final class BatchChecks {
  static final String COMPLETE = "SendBatch.complete";

  private final PostChecks checks;
  private final PostErrnos errnos;
  private final int operations;

  BatchChecks(QueuePairInit init, DeviceProfile profile, PostChecks checks) {
    this.checks = checks;
    this.errnos = PostErrnos.ofBatch(profile);
    int bits = 0;
    for (SendOperation operation : init.sendOperations()) {
      bits |= operation.value();
    }
    this.operations = bits;
  }

  /**
   * Rule BATCH-OPERATIONS: refuses operations that no queue pair of this type on this device has.
   */
  static void requireOperations(String call, QueuePairInit init, SimProtectionDomain domain) {
    PostChecks checks = new PostChecks(init, domain);
    for (SendOperation operation : init.sendOperations()) {
      if (!checks.canDo(opcode(operation))) {
        throw new VerbsException(
            Errno.EOPNOTSUPP,
            call,
            operation + " is not an operation of a " + init.type() + " queue pair of this device");
      }
    }
  }

  boolean hasOperations() {
    return operations != 0;
  }

  /** Rule BATCH-ALL-OR-NONE: looks at every request before the first one is posted. */
  void check(QueuePairEngine engine, SimSendBatch batch) {
    for (int i = 0; i < batch.size(); i++) {
      SendRequest request = batch.request(i);
      PostFault fault = fault(engine, request, batch.size());
      if (fault != null) {
        throw refused(fault, i, request.id());
      }
    }
  }

  /** Takes a slot for each request of a batch, unless another thread has taken the last ones. */
  void claim(QueuePairEngine engine, SimSendBatch batch) {
    int slots = batch.size();
    if (slots > 0 && !engine.sendSlots().claim(slots)) {
      throw refused(checks.sendQueueFull(engine, slots), 0, batch.request(0).id());
    }
  }

  private @Nullable PostFault fault(QueuePairEngine engine, SendRequest request, int slots) {
    SendOpcode opcode = request.opcode();
    if (opcode != null && (operations & bit(opcode)) == 0) {
      // What was not asked for at creation is not there.
      return PostFault.invalid(
          opcode + " is not among the operations that the queue pair was created for");
    }
    if (request.next() != null) {
      return PostFault.invalid("a request of a batch has no chain; begin another one instead");
    }
    return checks.sendFault(engine, request, slots, errnos);
  }

  /** The exception of a batch of which nothing was posted. */
  static VerbsException refused(PostFault fault, int index, long id) {
    return new VerbsException(
        fault.errno(),
        COMPLETE,
        "request "
            + index
            + " of the batch (id "
            + id
            + "): "
            + fault.detail()
            + "; nothing was posted");
  }

  private static SendOpcode opcode(SendOperation operation) {
    return switch (operation) {
      case RDMA_WRITE -> SendOpcode.RDMA_WRITE;
      case RDMA_WRITE_WITH_IMM -> SendOpcode.RDMA_WRITE_WITH_IMM;
      case SEND -> SendOpcode.SEND;
      case SEND_WITH_IMM -> SendOpcode.SEND_WITH_IMM;
      case RDMA_READ -> SendOpcode.RDMA_READ;
      case ATOMIC_CMP_AND_SWP -> SendOpcode.ATOMIC_CMP_AND_SWP;
      case ATOMIC_FETCH_AND_ADD -> SendOpcode.ATOMIC_FETCH_AND_ADD;
      case LOCAL_INV -> SendOpcode.LOCAL_INV;
      case BIND_MW -> SendOpcode.BIND_MW;
      case SEND_WITH_INV -> SendOpcode.SEND_WITH_INV;
      case TSO -> SendOpcode.TSO;
      case FLUSH -> SendOpcode.FLUSH;
      case ATOMIC_WRITE -> SendOpcode.ATOMIC_WRITE;
    };
  }

  private static int bit(SendOpcode opcode) {
    return switch (opcode) {
      case RDMA_WRITE -> SendOperation.RDMA_WRITE.value();
      case RDMA_WRITE_WITH_IMM -> SendOperation.RDMA_WRITE_WITH_IMM.value();
      case SEND -> SendOperation.SEND.value();
      case SEND_WITH_IMM -> SendOperation.SEND_WITH_IMM.value();
      case RDMA_READ -> SendOperation.RDMA_READ.value();
      case ATOMIC_CMP_AND_SWP -> SendOperation.ATOMIC_CMP_AND_SWP.value();
      case ATOMIC_FETCH_AND_ADD -> SendOperation.ATOMIC_FETCH_AND_ADD.value();
      case LOCAL_INV -> SendOperation.LOCAL_INV.value();
      case BIND_MW -> SendOperation.BIND_MW.value();
      case SEND_WITH_INV -> SendOperation.SEND_WITH_INV.value();
      case TSO -> SendOperation.TSO.value();
      case FLUSH -> SendOperation.FLUSH.value();
      case ATOMIC_WRITE -> SendOperation.ATOMIC_WRITE.value();
      case DRIVER1, MASKED_ATOMIC_CMP_AND_SWP, MASKED_ATOMIC_FETCH_AND_ADD -> 0;
      case REG_MR, REG_MR_INTEGRITY -> 0;
    };
  }
}
