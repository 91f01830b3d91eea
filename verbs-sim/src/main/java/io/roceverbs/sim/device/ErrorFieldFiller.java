package io.roceverbs.sim.device;

import io.roceverbs.sim.profile.PostingSwitch.ErrorFields;
import io.roceverbs.verbs.WorkCompletion;

/** What the undefined fields of a failed completion hold when it is polled. */
final class ErrorFieldFiller {
  private static final WorkCompletion ZERO = new WorkCompletion();

  private final ErrorFields errorFields;
  private final WorkCompletion lastSuccess = new WorkCompletion();

  ErrorFieldFiller(ErrorFields errorFields) {
    this.errorFields = errorFields;
  }

  /** Rule ERROR-FIELDS: only id, status, queue pair number and vendor error are defined. */
  void fill(WorkCompletion polled) {
    switch (errorFields) {
      case POISON -> {}
      case ZERO -> {
        if (!polled.isSuccess()) {
          polled.setLeftOvers(ZERO);
        }
      }
      case LEFT_OVER -> {
        if (polled.isSuccess()) {
          lastSuccess.copyFrom(polled);
        } else {
          polled.setLeftOvers(lastSuccess);
        }
      }
    }
  }
}
