package io.roceverbs.sim.trace;

import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.CompletionStatus;
import io.roceverbs.verbs.QueuePairState;

/**
 * One thing that happened at one node of the fabric, at one moment of its time.
 *
 * <p>Read an event through {@link #accept}: a visitor must say what it does with each kind, so a
 * new kind can't be forgotten anywhere.
 */
public sealed interface TraceEvent {
  /** Virtual time in nanoseconds since the fabric was made. */
  long timeNanos();

  /** Name of the node at which it happened. */
  String node();

  /** Calls the method of {@code visitor} for this kind of event. */
  <R> R accept(Visitor<R> visitor);

  /**
   * A request was posted to a queue.
   *
   * @param queuePair number of the queue pair
   * @param send whether to the send queue
   * @param requestId the request's id
   * @param summary what it asks for, such as {@code SEND 500 B}
   */
  record Posted(
      long timeNanos, String node, int queuePair, boolean send, long requestId, String summary)
      implements TraceEvent {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.posted(this);
    }
  }

  /**
   * A completion was put into a completion queue.
   *
   * @param send whether of the send queue
   * @param operation the completed operation, such as {@code RECV}
   * @param detail on failure, the exact check that failed or the first cause of the flush; else
   *     empty
   */
  record Completed(
      long timeNanos,
      String node,
      int queuePair,
      boolean send,
      long requestId,
      String operation,
      CompletionStatus status,
      String detail)
      implements TraceEvent {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.completed(this);
    }
  }

  /**
   * The ULP took a completion out of its queue.
   *
   * @param send whether it is of the send queue
   */
  record Polled(
      long timeNanos,
      String node,
      int queuePair,
      boolean send,
      long requestId,
      CompletionStatus status)
      implements TraceEvent {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.polled(this);
    }
  }

  /**
   * A packet left a node's port.
   *
   * @param frame number of the frame in this fabric, by which its delivery or loss is found
   * @param destination name of the node it is addressed to, or its address where no node has it
   * @param queuePair number of the destination queue pair
   * @param packetSequenceNumber its PSN
   * @param summary opcode and main fields, such as {@code SEND_ONLY psn=0x000100}
   * @param again whether the same packet was sent before
   * @param faults what an impairment does to it, in the words of the rule; empty for an untouched
   *     packet
   */
  record PacketSent(
      long timeNanos,
      String node,
      long frame,
      String destination,
      int queuePair,
      int packetSequenceNumber,
      String summary,
      boolean again,
      String faults)
      implements TraceEvent {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.packetSent(this);
    }
  }

  /** A frame arrived at a node's port and was good. */
  record PacketDelivered(long timeNanos, String node, long frame) implements TraceEvent {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.packetDelivered(this);
    }
  }

  /**
   * A frame was lost.
   *
   * @param node where it was lost: the receiving node if it arrived and was refused, else the
   *     sending one
   * @param reason why, such as {@code dropped by rule}, {@code ICRC} or {@code queue full}
   */
  record PacketDropped(long timeNanos, String node, long frame, String reason)
      implements TraceEvent {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.packetDropped(this);
    }
  }

  /**
   * A memory key became usable or unusable.
   *
   * @param key the key: the lkey and, if the region has two, the rkey is in the text
   * @param valid whether the key may be used from now on
   * @param cause what did it, such as {@code registerMemory} or {@code SEND_WITH_INV from the peer}
   */
  record KeyChanged(long timeNanos, String node, int key, boolean valid, String cause)
      implements TraceEvent {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.keyChanged(this);
    }
  }

  /** A queue pair changed its state. */
  record StateChanged(
      long timeNanos,
      String node,
      int queuePair,
      QueuePairState from,
      QueuePairState to,
      String cause)
      implements TraceEvent {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.stateChanged(this);
    }
  }

  /**
   * A timer of a queue pair ran out.
   *
   * @param what which one and what follows, such as {@code ACK timeout, going back to psn 0x000100}
   */
  record TimerExpired(long timeNanos, String node, int queuePair, String what)
      implements TraceEvent {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.timerExpired(this);
    }
  }

  /** An affiliated or unaffiliated asynchronous event was raised. */
  record AsyncRaised(long timeNanos, String node, int queuePair, AsyncEventType type)
      implements TraceEvent {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.asyncRaised(this);
    }
  }

  /** The ULP said something about itself, such as {@code command done, buffer unmapped}. */
  record Noted(long timeNanos, String node, String text) implements TraceEvent {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.noted(this);
    }
  }

  /** One method for each kind of event. */
  interface Visitor<R> {
    R posted(Posted event);

    R completed(Completed event);

    R polled(Polled event);

    R packetSent(PacketSent event);

    R packetDelivered(PacketDelivered event);

    R packetDropped(PacketDropped event);

    R keyChanged(KeyChanged event);

    R stateChanged(StateChanged event);

    R timerExpired(TimerExpired event);

    R asyncRaised(AsyncRaised event);

    R noted(Noted event);
  }
}
