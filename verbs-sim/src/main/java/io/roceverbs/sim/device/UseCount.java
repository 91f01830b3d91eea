package io.roceverbs.sim.device;

import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.VerbsException;

/**
 * How many objects of one kind use another, which can't be destroyed as long as they do (rule
 * PARENT-BUSY).
 */
final class UseCount {
  private final String kind;
  private int count;

  UseCount(String kind) {
    this.kind = kind;
  }

  /** Counts one more, unless the device's limit is reached. */
  void add(String call, int max) {
    if (count >= max) {
      throw new VerbsException(
          Errno.ENOMEM, call, "the device's limit of " + max + " of kind " + kind + " is reached");
    }
    count++;
  }

  void add() {
    count++;
  }

  void remove() {
    assert count > 0 : "more were removed than added";
    count--;
  }

  /** Refuses the destruction of what is in use. */
  void requireNone(String call) {
    if (count != 0) {
      throw new VerbsException(
          Errno.EBUSY,
          call,
          count
              + " of kind "
              + kind
              + " still in use; close "
              + (count == 1 ? "it" : "them")
              + " first");
    }
  }
}
