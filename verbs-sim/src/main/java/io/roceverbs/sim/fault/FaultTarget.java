package io.roceverbs.sim.fault;

import java.util.Locale;

/**
 * Which objects of a node a {@link VerbsFault} is about. Text forms: {@code host} for all of a
 * node, {@code host/qp0x000011} for one queue pair, {@code host/cq2} for one completion queue.
 *
 * @param node name of the node
 * @param scope all queues of the node, or one object
 * @param number the 24-bit number of the queue pair; or which completion queue of the node, 1 for
 *     the one created first; 0 for all
 */
public record FaultTarget(String node, Scope scope, int number) {
  private static final String QUEUE_PAIR = "qp0x";
  private static final String COMPLETION_QUEUE = "cq";
  private static final int HEXADECIMAL = 16;
  private static final int QUEUE_PAIR_NUMBER_MAX = 0xFF_FFFF;

  /** How much a fault is about. */
  public enum Scope {
    /** All of a node. */
    NODE,
    /** One queue pair. */
    QUEUE_PAIR,
    /** One completion queue. */
    COMPLETION_QUEUE
  }

  /**
   * Checks the number.
   *
   * @param node as the component
   * @param scope as the component
   * @param number as the component
   * @throws IllegalArgumentException if there can't be such an object
   */
  public FaultTarget {
    boolean legal =
        switch (scope) {
          case NODE -> number == 0;
          case QUEUE_PAIR -> number >= 0 && number <= QUEUE_PAIR_NUMBER_MAX;
          case COMPLETION_QUEUE -> number >= 1;
        };
    if (!legal) {
      throw new IllegalArgumentException(
          "number "
              + number
              + " is not legal for "
              + scope
              + ": 0 for NODE, 24 bits for QUEUE_PAIR, 1 or more for COMPLETION_QUEUE");
    }
  }

  /**
   * All of a node.
   *
   * @param node its name
   * @return the target
   */
  public static FaultTarget node(String node) {
    return new FaultTarget(node, Scope.NODE, 0);
  }

  /**
   * One queue pair.
   *
   * @param node name of its node
   * @param number its number
   * @return the target
   */
  public static FaultTarget queuePair(String node, int number) {
    return new FaultTarget(node, Scope.QUEUE_PAIR, number);
  }

  /**
   * One completion queue.
   *
   * @param node name of its node
   * @param number 1 for the one that the node created first, then 2, ...; also of closed ones
   * @return the target
   */
  public static FaultTarget completionQueue(String node, int number) {
    return new FaultTarget(node, Scope.COMPLETION_QUEUE, number);
  }

  static FaultTarget parse(String text) {
    int slash = text.indexOf('/');
    if (slash < 0) {
      return node(text);
    }
    String node = text.substring(0, slash);
    String object = text.substring(slash + 1);
    try {
      if (object.startsWith(QUEUE_PAIR)) {
        String digits = object.substring(QUEUE_PAIR.length());
        return queuePair(node, Integer.parseInt(digits, HEXADECIMAL));
      }
      if (object.startsWith(COMPLETION_QUEUE)) {
        String digits = object.substring(COMPLETION_QUEUE.length());
        return completionQueue(node, Integer.parseInt(digits));
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("the number in \"" + object + "\" is none", e);
    }
    throw new IllegalArgumentException(
        "object \"" + object + "\" is neither a queue pair, as qp0x000011, nor a queue, as cq2");
  }

  /**
   * Tells whether a completion, or a post, is of this target.
   *
   * @param queuePairNumber number of the queue pair
   * @param completionQueueNumber number of the completion queue, 0 for a post
   * @return whether it is
   */
  public boolean includes(int queuePairNumber, int completionQueueNumber) {
    return switch (scope) {
      case NODE -> true;
      case QUEUE_PAIR -> queuePairNumber == number;
      case COMPLETION_QUEUE -> completionQueueNumber == number;
    };
  }

  /** The text form. */
  @Override
  public String toString() {
    return switch (scope) {
      case NODE -> node;
      case QUEUE_PAIR -> String.format(Locale.ROOT, "%s/%s%06x", node, QUEUE_PAIR, number);
      case COMPLETION_QUEUE -> node + "/" + COMPLETION_QUEUE + number;
    };
  }
}
