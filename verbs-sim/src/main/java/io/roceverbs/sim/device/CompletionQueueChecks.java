package io.roceverbs.sim.device;

import io.roceverbs.verbs.CompletionChannel;
import io.roceverbs.verbs.CompletionField;
import io.roceverbs.verbs.CompletionQueueInit;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.VerbsException;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The checks of what a completion queue is to be made from. */
final class CompletionQueueChecks {
  private static final Set<CompletionField> FIELDS = knownFields();

  private CompletionQueueChecks() {}

  private static Set<CompletionField> knownFields() {
    EnumSet<CompletionField> fields = EnumSet.copyOf(CompletionField.standard());
    fields.add(CompletionField.COMPLETION_TIMESTAMP);
    fields.add(CompletionField.COMPLETION_TIMESTAMP_WALLCLOCK);
    return Collections.unmodifiableSet(fields);
  }

  /**
   * Checks what every completion queue has.
   *
   * @return the channel of the queue, or null if it has none
   */
  static @Nullable SimCompletionChannel check(
      String call, SimDeviceContext context, CompletionQueueInit init) {
    requireCapacity(call, context, init.capacity());
    int vectors = context.completionVectors();
    if (init.completionVector() < 0 || init.completionVector() >= vectors) {
      throw new VerbsException(
          Errno.EINVAL,
          call,
          "completion vector " + init.completionVector() + " is not in 0.." + (vectors - 1));
    }
    CompletionChannel channel = init.channel();
    return channel == null ? null : ownChannel(call, context, channel);
  }

  /** Checks the size of a queue, new or resized. */
  static void requireCapacity(String call, SimDeviceContext context, int capacity) {
    int max = context.simDevice().limits().maxCompletionQueueEntries();
    if (capacity < 1 || capacity > max) {
      throw new VerbsException(Errno.EINVAL, call, "capacity " + capacity + " is not in 1.." + max);
    }
  }

  private static SimCompletionChannel ownChannel(
      String call, SimDeviceContext context, CompletionChannel channel) {
    if (channel instanceof SimCompletionChannel own && own.context() == context && own.isOpen()) {
      return own;
    }
    throw SimDeviceContext.notOwn(call, "completion channel");
  }

  /** Refuses fields for a queue that has no getters for them. */
  static void requirePlain(String call, CompletionQueueInit init) {
    if (!init.fields().isEmpty()) {
      throw new VerbsException(
          Errno.EINVAL,
          call,
          "only an extended completion queue gives "
              + init.fields()
              + "; call createExtendedCompletionQueue");
    }
  }

  /** Refuses fields that the device does not know. */
  static void requireKnown(String call, CompletionQueueInit init) {
    EnumSet<CompletionField> unknown = EnumSet.noneOf(CompletionField.class);
    unknown.addAll(init.fields());
    unknown.removeAll(FIELDS);
    if (!unknown.isEmpty()) {
      throw new VerbsException(
          Errno.EOPNOTSUPP, call, "the device does not know " + unknown + "; it gives " + FIELDS);
    }
  }
}
