package io.roceverbs.sim.trace;

import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.CompletionStatus;
import io.roceverbs.verbs.QueuePairState;

/**
 * One thing that happened at one node of the fabric, at one moment of its time.
 *
 * <p>Read an event through {@link #accept}: a visitor must say what it does with each kind, so a
 * new kind can't be forgotten anywhere.
 *
 * <p>Events are immutable, so they may be kept and passed between threads. Their texts are for
 * people; a program should look at the other components.
 */
public sealed interface TraceEvent {
  /**
   * When it happened.
   *
   * @return virtual time in nanoseconds since the fabric was made
   */
  long timeNanos();

  /**
   * Where it happened.
   *
   * @return name of the node, which is also that of its device
   */
  String node();

  /**
   * Calls the method of {@code visitor} for this kind of event.
   *
   * @param <R> what the visitor gives
   * @param visitor has a method for each kind
   * @return what that method gives
   */
  <R> R accept(Visitor<R> visitor);

  /**
   * A request was posted to a queue: {@code ibv_post_send()} or {@code ibv_post_recv()}. A chain of
   * requests is one event for each.
   *
   * @param timeNanos virtual time in nanoseconds since the fabric was made
   * @param node name of the node that posted it
   * @param queuePair number of the queue pair, 24 bits
   * @param send whether to the send queue; else to the receive queue
   * @param requestId the request's id, its {@code wr_id}
   * @param summary what it asks for, such as {@code RECV 500 B}
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
   * A completion was put into a completion queue, where the ULP does not see it yet.
   *
   * @param timeNanos virtual time in nanoseconds since the fabric was made
   * @param node name of the node that executed the request
   * @param queuePair number of the queue pair, 24 bits
   * @param send whether the request was of the send queue; else of the receive queue
   * @param requestId the request's id, the {@code wr_id}
   * @param operation the completed operation, such as {@code RECV}
   * @param status how it went
   * @param detail on failure, the exact check that failed or, in short, the first cause of the
   *     flush; else empty
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
   * A completion queue told its channel that there is something to poll, which the ULP gets from
   * {@code ibv_get_cq_event()}.
   *
   * @param timeNanos virtual time in nanoseconds since the fabric was made
   * @param node name of the node
   * @param completionQueue number of the queue on its device, 1 for the first that was created
   * @param completions how many completions are in the queue, 0 or more
   */
  record CompletionEventRaised(long timeNanos, String node, int completionQueue, int completions)
      implements TraceEvent {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.completionEventRaised(this);
    }
  }

  /**
   * The ULP took a completion out of its queue: {@code ibv_poll_cq()}.
   *
   * @param timeNanos virtual time in nanoseconds since the fabric was made
   * @param node name of the node that polled
   * @param queuePair number of the queue pair, 24 bits
   * @param send whether the request was of the send queue; else of the receive queue
   * @param requestId the request's id, the {@code wr_id}
   * @param status how it went
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
   * A packet left a node's port. A copy that an impairment makes is an event and a frame of its
   * own.
   *
   * @param timeNanos virtual time in nanoseconds since the fabric was made
   * @param node name of the sending node
   * @param frame number of the frame in this fabric, by which its delivery or loss is found
   * @param destination name of the node it is addressed to, or its address where no node has it
   * @param queuePair number of the destination queue pair, 24 bits
   * @param packetSequenceNumber its PSN, 24 bits
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

  /**
   * A frame arrived at a node's port and was good. Whether a queue pair takes it is not told here.
   *
   * @param timeNanos virtual time in nanoseconds since the fabric was made
   * @param node name of the receiving node
   * @param frame number of the frame, as in {@link PacketSent}
   */
  record PacketDelivered(long timeNanos, String node, long frame) implements TraceEvent {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.packetDelivered(this);
    }
  }

  /**
   * A queue of the switch marked a frame as having met congestion. A mark by a rule is among the
   * faults of {@link PacketSent}.
   *
   * @param timeNanos virtual time in nanoseconds since the fabric was made
   * @param node name of the node to which the queue leads
   * @param frame number of the frame, as in {@link PacketSent}
   */
  record PacketMarked(long timeNanos, String node, long frame) implements TraceEvent {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.packetMarked(this);
    }
  }

  /**
   * A frame was lost.
   *
   * @param timeNanos virtual time in nanoseconds since the fabric was made
   * @param node where it was lost: the receiving node if it arrived and was refused, else the
   *     sending one
   * @param frame number of the frame, as in {@link PacketSent}
   * @param reason why, such as {@code dropped by rule} or {@code queue full}; for a frame that was
   *     refused, what is wrong with it
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
   * @param timeNanos virtual time in nanoseconds since the fabric was made
   * @param node name of the node that has the memory
   * @param key the key, 32 bits: of a registered region the lkey, with which its rkey comes and
   *     goes; else the key that was registered or invalidated
   * @param valid whether the key may be used from now on
   * @param cause what did it, such as {@code registerMemory} or {@code SEND_WITH_INV of the peer}
   */
  record KeyChanged(long timeNanos, String node, int key, boolean valid, String cause)
      implements TraceEvent {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.keyChanged(this);
    }
  }

  /**
   * A queue pair changed its state.
   *
   * @param timeNanos virtual time in nanoseconds since the fabric was made
   * @param node name of the node
   * @param queuePair number of the queue pair, 24 bits
   * @param from the state before
   * @param to the state from now on
   * @param cause {@code modify}, or for the fall to ERR what went wrong
   */
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
   * @param timeNanos virtual time in nanoseconds since the fabric was made
   * @param node name of the node
   * @param queuePair number of the queue pair, 24 bits
   * @param what which one and what follows, such as {@code ACK timeout, again from psn 0x000100}
   */
  record TimerExpired(long timeNanos, String node, int queuePair, String what)
      implements TraceEvent {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.timerExpired(this);
    }
  }

  /**
   * An asynchronous event was raised, which the ULP gets from {@code ibv_get_async_event()}.
   *
   * @param timeNanos virtual time in nanoseconds since the fabric was made
   * @param node name of the node
   * @param queuePair number of the queue pair that it is affiliated with, 24 bits; 0 if it is
   *     none's
   * @param type what the ULP is told
   */
  record AsyncRaised(long timeNanos, String node, int queuePair, AsyncEventType type)
      implements TraceEvent {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.asyncRaised(this);
    }
  }

  /**
   * The ULP said something about itself, such as {@code command done, buffer unmapped}.
   *
   * @param timeNanos virtual time in nanoseconds since the fabric was made
   * @param node name of the node of which it spoke
   * @param text what it said
   */
  record Noted(long timeNanos, String node, String text) implements TraceEvent {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.noted(this);
    }
  }

  /**
   * One method for each kind of event.
   *
   * @param <R> what the methods give
   */
  interface Visitor<R> {
    /**
     * Visits a posted request.
     *
     * @param event the event
     * @return what the visitor gives for it
     */
    R posted(Posted event);

    /**
     * Visits a completion that was put into its queue.
     *
     * @param event the event
     * @return what the visitor gives for it
     */
    R completed(Completed event);

    /**
     * Visits an event of a completion queue.
     *
     * @param event the event
     * @return what the visitor gives for it
     */
    R completionEventRaised(CompletionEventRaised event);

    /**
     * Visits a completion that was taken out of its queue.
     *
     * @param event the event
     * @return what the visitor gives for it
     */
    R polled(Polled event);

    /**
     * Visits a packet that left.
     *
     * @param event the event
     * @return what the visitor gives for it
     */
    R packetSent(PacketSent event);

    /**
     * Visits a frame that arrived.
     *
     * @param event the event
     * @return what the visitor gives for it
     */
    R packetDelivered(PacketDelivered event);

    /**
     * Visits a frame that was marked as congested.
     *
     * @param event the event
     * @return what the visitor gives for it
     */
    R packetMarked(PacketMarked event);

    /**
     * Visits a frame that was lost.
     *
     * @param event the event
     * @return what the visitor gives for it
     */
    R packetDropped(PacketDropped event);

    /**
     * Visits a memory key that became valid or invalid.
     *
     * @param event the event
     * @return what the visitor gives for it
     */
    R keyChanged(KeyChanged event);

    /**
     * Visits a change of state.
     *
     * @param event the event
     * @return what the visitor gives for it
     */
    R stateChanged(StateChanged event);

    /**
     * Visits a timer that ran out.
     *
     * @param event the event
     * @return what the visitor gives for it
     */
    R timerExpired(TimerExpired event);

    /**
     * Visits an asynchronous event.
     *
     * @param event the event
     * @return what the visitor gives for it
     */
    R asyncRaised(AsyncRaised event);

    /**
     * Visits a word of the ULP.
     *
     * @param event the event
     * @return what the visitor gives for it
     */
    R noted(Noted event);
  }
}
