package io.roceverbs.sim.qp;

import io.roceverbs.verbs.CompletionStatus;

/**
 * The request at which a requester had to stop, because it can't be gathered or executed. It fails
 * when all before it have ended.
 */
final class StoppedRequest {
  private static final long NONE = -1;

  private long position = NONE;
  private CompletionStatus status = CompletionStatus.LOC_PROT_ERR;
  private String detail = "";

  void set(long newPosition, CompletionStatus newStatus, String newDetail) {
    position = newPosition;
    status = newStatus;
    detail = newDetail;
  }

  void clear() {
    position = NONE;
  }

  boolean isAt(long other) {
    return position == other;
  }

  CompletionStatus status() {
    return status;
  }

  String detail() {
    return detail;
  }
}
