package io.roceverbs.verbs;

import org.jspecify.annotations.Nullable;

/**
 * Something happened outside any work request: {@code struct ibv_async_event}, kernel {@code struct
 * ib_event}.
 *
 * <p>What {@link AsyncEventType#element()} names is set, of {@link #queuePair()}, {@link
 * #completionQueue()}, {@link #sharedReceiveQueue()} and {@link #port()}; none of them for an event
 * of the whole device.
 *
 * <p>All methods may be called from any thread.
 *
 * <p>Source: ibv_get_async_event(3).
 */
public interface AsyncEvent {
  /** {@return what happened, the {@code event_type}} */
  AsyncEventType type();

  /** {@return the device on which it happened} */
  Device device();

  /** {@return the queue pair concerned, or null if the event concerns something else} */
  @Nullable QueuePair queuePair();

  /** {@return the completion queue concerned, or null if the event concerns something else} */
  @Nullable CompletionQueue completionQueue();

  /** {@return the shared receive queue concerned, or null if it concerns something else} */
  @Nullable SharedReceiveQueue sharedReceiveQueue();

  /** {@return the port number, counted from 1, or 0 if the event concerns something else} */
  int port();

  /**
   * Tells that the program is done with the event: {@code ibv_ack_async_event()}. A queue pair,
   * completion queue or shared receive queue is not closed while an event of it is unacknowledged.
   *
   * @throws VerbsException EINVAL if the event has been acknowledged before
   */
  void acknowledge();
}
