package io.roceverbs.sim.device;

import io.roceverbs.verbs.CompletionField;
import io.roceverbs.verbs.CompletionOpcode;
import io.roceverbs.verbs.CompletionQueueInit;
import io.roceverbs.verbs.CompletionStatus;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.ExtendedCompletionQueue;
import io.roceverbs.verbs.VerbsException;
import io.roceverbs.verbs.WorkCompletion;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A completion queue whose completions can be gone over one by one. */
final class SimExtendedCompletionQueue extends SimCompletionQueue
    implements ExtendedCompletionQueue {
  private static final String START = "ExtendedCompletionQueue.startPoll";
  private static final String NEXT = "ExtendedCompletionQueue.nextPoll";
  private static final String END = "ExtendedCompletionQueue.endPoll";

  private static final long EPOCH_NANOS =
      TimeUnit.SECONDS.toNanos(DeviceHost.EPOCH.getEpochSecond());

  private final Set<CompletionField> fields;
  private final WorkCompletion current = new WorkCompletion();
  private long currentTimeNanos;
  private volatile boolean pollUnderWay;

  SimExtendedCompletionQueue(
      SimDeviceContext context, CompletionQueueInit init, @Nullable SimCompletionChannel channel) {
    super(context, init, channel);
    this.fields = init.fields();
  }

  @Override
  void requireNoPollUnderWay(String call) {
    if (pollUnderWay) {
      throw new VerbsException(
          Errno.EBUSY, call, "a poll begun with startPoll is under way; call endPoll first");
    }
  }

  // ---- the poll ------------------------------------------------------------------------------

  @Override
  public boolean startPoll() {
    if (!pollUnderWay && isEmptyForNow()) {
      return false;
    }
    boolean isInside = enterUnlessOutside();
    try {
      if (isInside) {
        requireOpen(START);
        requireNoPollUnderWay(START);
        lookForMore(START);
      }
      return begin(isInside);
    } finally {
      exit(isInside);
    }
  }

  private boolean begin(boolean isInside) {
    ring().beginPoll();
    try {
      requireOpen(START);
      requireNoPollUnderWay(START);
      // Rule START-POLL: no poll has begun on an empty queue.
      pollUnderWay = showNext(isInside);
      return pollUnderWay;
    } finally {
      ring().endPoll();
    }
  }

  @Override
  public boolean nextPoll() {
    boolean isInside = enterUnlessOutside();
    try {
      ring().beginPoll();
      try {
        requirePoll(NEXT);
        return showNext(isInside);
      } finally {
        ring().endPoll();
      }
    } finally {
      exit(isInside);
    }
  }

  @Override
  public void endPoll() {
    boolean isInside = enterUnlessOutside();
    try {
      ring().beginPoll();
      try {
        requirePoll(END);
        pollUnderWay = false;
        releaseShown(isInside);
      } finally {
        ring().endPoll();
      }
    } finally {
      exit(isInside);
    }
  }

  private boolean showNext(boolean isInside) {
    if (unread() == 0) {
      return false;
    }
    currentTimeNanos = hand(current, isInside);
    return true;
  }

  private void requirePoll(String call) {
    if (!pollUnderWay) {
      throw new VerbsException(
          Errno.EINVAL, call, "no poll is under way; startPoll must have returned true");
    }
  }

  // ---- the present completion ----------------------------------------------------------------

  private WorkCompletion current() {
    if (!pollUnderWay) {
      throw new IllegalStateException(
          "no poll is under way, so there is no completion to read; call startPoll first");
    }
    return current;
  }

  private WorkCompletion current(CompletionField field) {
    if (!fields.contains(field)) {
      throw new IllegalStateException(
          "the completion queue was created without " + field + "; its fields are " + fields);
    }
    return current();
  }

  @Override
  public long id() {
    return current().id();
  }

  @Override
  public CompletionStatus status() {
    return current().status();
  }

  @Override
  public CompletionOpcode opcode() {
    return current().opcode();
  }

  @Override
  public int vendorError() {
    return current().vendorError();
  }

  @Override
  public String detail() {
    return current().detail();
  }

  @Override
  public int flags() {
    return current().flags();
  }

  @Override
  public int byteLength() {
    return current(CompletionField.BYTE_LEN).byteLength();
  }

  @Override
  public int immediate() {
    return current(CompletionField.IMM).immediate();
  }

  @Override
  public int invalidatedRkey() {
    return current(CompletionField.IMM).invalidatedRkey();
  }

  @Override
  public int queuePairNumber() {
    return current(CompletionField.QP_NUM).queuePairNumber();
  }

  @Override
  public int sourceQueuePairNumber() {
    return current(CompletionField.SRC_QP).sourceQueuePairNumber();
  }

  @Override
  public int sourceLocalIdentifier() {
    return current(CompletionField.SLID).sourceLocalIdentifier();
  }

  @Override
  public int serviceLevel() {
    return current(CompletionField.SL).serviceLevel();
  }

  @Override
  public int localIdentifierPathBits() {
    return current(CompletionField.DLID_PATH_BITS).localIdentifierPathBits();
  }

  @Override
  public long timestamp() {
    current(CompletionField.COMPLETION_TIMESTAMP);
    return currentTimeNanos;
  }

  @Override
  public long wallclockNanos() {
    current(CompletionField.COMPLETION_TIMESTAMP_WALLCLOCK);
    return EPOCH_NANOS + currentTimeNanos;
  }
}
