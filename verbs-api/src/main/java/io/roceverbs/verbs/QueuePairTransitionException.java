package io.roceverbs.verbs;

import java.util.Set;

/**
 * A {@link QueuePair#modify} was refused with EINVAL: the transition is illegal, or its attributes
 * are.
 *
 * <p>C gives a bare EINVAL here. This exception lists the attributes that the transition needs and
 * did not get, and those it got and does not take. Both sets are empty if the states have no
 * transition at all or a value is wrong; the detail says which. The queue pair is unchanged, state
 * and attributes.
 *
 * <p>Source: ibv_modify_qp(3); Linux {@code ib_modify_qp_is_ok}.
 */
public final class QueuePairTransitionException extends VerbsException {
  private static final long serialVersionUID = 1L;

  /** State of the queue pair. */
  private final QueuePairState from;

  /** State asked for. */
  private final QueuePairState to;

  /** Required attributes that were not given, as {@code attr_mask} bits. */
  private final int missingBits;

  /** Given attributes that the transition does not take, as {@code attr_mask} bits. */
  private final int surplusBits;

  /**
   * Makes an exception whose message names the transition and both sets.
   *
   * @param from the state of the queue pair
   * @param to the state asked for; the same as {@code from} if none was
   * @param missing required attributes that were not given
   * @param surplus given attributes that the transition does not take
   * @param detail what was wrong, what would have been legal and what to do
   */
  public QueuePairTransitionException(
      QueuePairState from,
      QueuePairState to,
      Set<QueuePairAttribute> missing,
      Set<QueuePairAttribute> surplus,
      String detail) {
    super(
        Errno.EINVAL,
        "QueuePair.modify",
        from + " to " + to + describe(missing, surplus) + ": " + detail);
    this.from = from;
    this.to = to;
    this.missingBits = QueuePairAttribute.maskOf(missing);
    this.surplusBits = QueuePairAttribute.maskOf(surplus);
  }

  private static String describe(Set<QueuePairAttribute> missing, Set<QueuePairAttribute> surplus) {
    return (missing.isEmpty() ? "" : ", missing " + sorted(missing))
        + (surplus.isEmpty() ? "" : ", surplus " + sorted(surplus));
  }

  private static Set<QueuePairAttribute> sorted(Set<QueuePairAttribute> attributes) {
    return QueuePairAttribute.setOf(QueuePairAttribute.maskOf(attributes));
  }

  /** {@return the state the queue pair was in and is still in} */
  public QueuePairState from() {
    return from;
  }

  /** {@return the target state; the same as {@link #from()} if the call named none} */
  public QueuePairState to() {
    return to;
  }

  /** {@return an unmodifiable set in the order of the mask bits} */
  public Set<QueuePairAttribute> missing() {
    return QueuePairAttribute.setOf(missingBits);
  }

  /** {@return an unmodifiable set in the order of the mask bits} */
  public Set<QueuePairAttribute> surplus() {
    return QueuePairAttribute.setOf(surplusBits);
  }
}
