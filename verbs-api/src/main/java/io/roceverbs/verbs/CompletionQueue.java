package io.roceverbs.verbs;

import org.jspecify.annotations.Nullable;

/**
 * Where outcomes of work requests wait to be polled: {@code struct ibv_cq}, kernel {@code struct
 * ib_cq}.
 *
 * <p>If more completions arrive than fit, the surplus is lost, {@link AsyncEventType#CQ_ERR} is
 * raised, and the queue pairs that use the queue fail; a program prevents it by a capacity for all
 * requests that can be outstanding.
 *
 * <p>All methods may be called from any thread. Every method but {@link #close()} and those that
 * tell how the queue was made throws a {@link VerbsException} with EINVAL once the queue is closed.
 *
 * <p>Source: ibv_create_cq(3), ibv_poll_cq(3), ibv_req_notify_cq(3), ibv_get_cq_event(3),
 * ibv_resize_cq(3), ibv_modify_cq(3).
 */
public interface CompletionQueue extends AutoCloseable {
  /** The largest count and the largest period, in microseconds, of {@link #moderate}. */
  int MODERATION_MAX = 0xFFFF;

  /** {@return the context this queue was created on} */
  DeviceContext context();

  /** {@return the channel that gets the events of this queue, or null if it has none} */
  @Nullable CompletionChannel channel();

  /** {@return the object that the queue was created with, its {@code cq_context}, or null} */
  @Nullable Object attachment();

  /** {@return how many completions fit, the {@code cqe}: at least what was asked for} */
  int capacity();

  /**
   * Takes completions: {@code ibv_poll_cq()}. It never waits. The polled entries leave the queue,
   * and their requests, with all earlier ones of the same queue, free their slots.
   *
   * @param completions gets the completions from index 0, oldest first, at most its capacity; what
   *     it held is lost
   * @return how many completions were taken, 0 if there are none
   * @throws VerbsException EINVAL if the queue is closed, EBUSY while a poll that {@link
   *     ExtendedCompletionQueue#startPoll()} began has not ended
   */
  int poll(WorkCompletions completions);

  /**
   * Arms the queue: {@code ibv_req_notify_cq()}. The next completion that is put into the queue
   * makes one event on its channel; then the queue must be armed again. Completions that are there
   * already make none, so a program polls after it has armed.
   *
   * <p>Arming for all completions takes the place of an earlier arming for solicited ones; the
   * reverse has no effect. A queue without a channel can be armed, and nobody hears of it.
   *
   * @param solicitedOnly whether only a receive that the peer {@linkplain SendFlag#SOLICITED
   *     solicited} and a completion with an error make the event
   * @return whether completions were in the queue already, for which no event comes: kernel {@code
   *     IB_CQ_REPORT_MISSED_EVENTS}
   * @throws VerbsException EINVAL if the queue is closed
   */
  boolean requestNotification(boolean solicitedOnly);

  /**
   * Tells that the program is done with events of this queue: {@code ibv_ack_cq_events()}. The
   * queue is not closed while one is unacknowledged.
   *
   * @param count how many, 0 or more
   * @throws VerbsException EINVAL, with nothing changed, if the count is negative or larger than
   *     the number of events that were taken from the channel and not acknowledged
   */
  void acknowledgeEvents(int count);

  /**
   * Changes how many completions fit: {@code ibv_resize_cq()}. The completions in the queue stay in
   * it, in their order.
   *
   * @param capacity completions that must fit; the queue may be larger
   * @throws VerbsException EINVAL, with nothing changed, if the capacity is less than 1, more than
   *     the device offers, or less than what is in the queue; EBUSY while a poll that {@link
   *     ExtendedCompletionQueue#startPoll()} began has not ended; EIO if the device has failed
   */
  void resize(int capacity);

  /**
   * Holds events back: {@code ibv_modify_cq()} with {@code IBV_CQ_ATTR_MODERATE}. An armed queue
   * makes its event at the completion that makes the count full, or when the period since the first
   * of them is over, whichever is earlier. Only completions that the arming asked for count.
   *
   * @param count {@code cq_count}: completions for one event, 0 to {@link #MODERATION_MAX}; 0 for
   *     any number
   * @param periodMicros {@code cq_period}: microseconds, 0 to {@link #MODERATION_MAX}; 0 for any
   *     time. With both 0 each event comes at once
   * @throws VerbsException EINVAL, with nothing changed, if one is out of its range; EIO if the
   *     device has failed
   */
  void moderate(int count, int periodMicros);

  /** {@return true until {@link #close()} has succeeded} */
  boolean isOpen();

  /**
   * Closes the queue: {@code ibv_destroy_cq()}. Closing twice has no effect. Events that nobody has
   * taken are discarded.
   *
   * <p>While an event that was taken, of its channel or an asynchronous one, is unacknowledged, the
   * call waits for another thread to acknowledge it. A wait that is interrupted, or outlives the
   * provider, ends with an IllegalStateException.
   *
   * @throws VerbsException EBUSY, with nothing changed, while a queue pair or an XRC shared receive
   *     queue uses the queue, or a poll of it has not ended; or if events of it are unacknowledged,
   *     and the provider knows that no other thread can acknowledge them, or the call is made where
   *     nobody may wait, as in a callback
   */
  @Override
  void close();
}
