package io.roceverbs.verbs;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a completion queue is made from: the arguments of {@code ibv_create_cq()}, or {@code struct
 * ibv_cq_init_attr_ex}.
 *
 * <p>Immutable; each {@code with...} method returns a changed copy.
 *
 * <p>Source: ibv_create_cq(3), ibv_create_cq_ex(3).
 *
 * @param capacity {@code cqe}: completions that must fit
 * @param channel gets the events of the queue; null for a queue that is only polled
 * @param completionVector {@code comp_vector}: which of the {@link
 *     DeviceContext#completionVectors()} interrupts tells of the events, counted from 0
 * @param attachment {@code cq_context}: an object of the program, found again by {@link
 *     CompletionQueue#attachment()}; null for none
 * @param fields {@code wc_flags}: what an extended queue is to tell of each completion; kept as an
 *     unmodifiable copy
 * @param flags how the queue is to behave; kept as an unmodifiable copy
 */
public record CompletionQueueInit(
    int capacity,
    @Nullable CompletionChannel channel,
    int completionVector,
    @Nullable Object attachment,
    Set<CompletionField> fields,
    Set<CompletionQueueFlag> flags) {
  /**
   * Copies the sets.
   *
   * @param capacity as the component
   * @param channel as the component
   * @param completionVector as the component
   * @param attachment as the component
   * @param fields as the component
   * @param flags as the component
   */
  public CompletionQueueInit {
    EnumSet<CompletionField> fieldCopy = EnumSet.noneOf(CompletionField.class);
    fieldCopy.addAll(fields);
    fields = Collections.unmodifiableSet(fieldCopy);
    EnumSet<CompletionQueueFlag> flagCopy = EnumSet.noneOf(CompletionQueueFlag.class);
    flagCopy.addAll(flags);
    flags = Collections.unmodifiableSet(flagCopy);
  }

  /**
   * Begins with a queue that is only polled, on completion vector 0.
   *
   * @param capacity completions that must fit
   * @return the initial attributes
   */
  public static CompletionQueueInit ofCapacity(int capacity) {
    return new CompletionQueueInit(capacity, null, 0, null, Set.of(), Set.of());
  }

  /**
   * Returns a copy whose events go to a channel.
   *
   * @param target a channel of the same context
   * @return the changed copy
   */
  public CompletionQueueInit withChannel(CompletionChannel target) {
    return new CompletionQueueInit(capacity, target, completionVector, attachment, fields, flags);
  }

  /**
   * Returns a copy with another completion vector.
   *
   * @param vector 0 to {@code DeviceContext.completionVectors() - 1}
   * @return the changed copy
   */
  public CompletionQueueInit withCompletionVector(int vector) {
    return new CompletionQueueInit(capacity, channel, vector, attachment, fields, flags);
  }

  /**
   * Returns a copy with an object of the program.
   *
   * @param object what {@link CompletionQueue#attachment()} is to give
   * @return the changed copy
   */
  public CompletionQueueInit withAttachment(Object object) {
    return new CompletionQueueInit(capacity, channel, completionVector, object, fields, flags);
  }

  /**
   * Returns a copy that asks for these fields, instead of others.
   *
   * @param wanted what an extended queue is to tell
   * @return the changed copy
   */
  public CompletionQueueInit withFields(CompletionField... wanted) {
    EnumSet<CompletionField> set = EnumSet.noneOf(CompletionField.class);
    set.addAll(Arrays.asList(wanted));
    return withFields(set);
  }

  /**
   * Returns a copy that asks for these fields, instead of others.
   *
   * @param wanted what an extended queue is to tell, such as {@link CompletionField#standard()}
   * @return the changed copy
   */
  public CompletionQueueInit withFields(Set<CompletionField> wanted) {
    return new CompletionQueueInit(capacity, channel, completionVector, attachment, wanted, flags);
  }

  /**
   * Returns a copy with these flags, instead of others.
   *
   * @param wanted how the queue is to behave
   * @return the changed copy
   */
  public CompletionQueueInit withFlags(CompletionQueueFlag... wanted) {
    EnumSet<CompletionQueueFlag> set = EnumSet.noneOf(CompletionQueueFlag.class);
    set.addAll(Arrays.asList(wanted));
    return new CompletionQueueInit(capacity, channel, completionVector, attachment, fields, set);
  }
}
