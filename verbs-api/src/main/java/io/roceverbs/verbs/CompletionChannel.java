package io.roceverbs.verbs;

import org.jspecify.annotations.Nullable;

/**
 * Where completion queues tell that there is something to poll: {@code struct ibv_comp_channel}.
 *
 * <p>Any number of queues of one context may share a channel. A queue makes an event only after
 * {@link CompletionQueue#requestNotification} has armed it, and each arming makes one event at
 * most: the loop that loses nothing takes an event, acknowledges it, arms the queue again, and only
 * then polls it until it is empty.
 *
 * <pre>{@code
 * queue.requestNotification(false);
 * while (running) {
 *   CompletionQueue ready = channel.awaitEvent();
 *   ready.acknowledgeEvents(1);
 *   ready.requestNotification(false);
 *   while (ready.poll(completions) > 0) {
 *     handle(completions);
 *   }
 * }
 * }</pre>
 *
 * <p>All methods may be called from any thread.
 *
 * <p>Source: ibv_create_comp_channel(3), ibv_get_cq_event(3).
 */
public interface CompletionChannel extends AutoCloseable {
  /** {@return the context this channel was created on} */
  DeviceContext context();

  /**
   * Takes the oldest event: {@code ibv_get_cq_event()} on a non-blocking descriptor. The queue may
   * be empty by now, if what it told of was polled before.
   *
   * @return the queue whose event it is, which must be acknowledged with {@link
   *     CompletionQueue#acknowledgeEvents}, or null where C says EAGAIN
   * @throws VerbsException EINVAL if the channel is closed
   */
  @Nullable CompletionQueue pollEvent();

  /**
   * Waits for an event and takes it: {@code ibv_get_cq_event()}.
   *
   * @return the queue whose event it is, which must be acknowledged with {@link
   *     CompletionQueue#acknowledgeEvents}
   * @throws VerbsException EINVAL if the channel is closed, or gets closed meanwhile
   * @throws IllegalStateException if the provider knows that no event can come any more
   */
  CompletionQueue awaitEvent();

  /** {@return true until {@link #close()} has succeeded} */
  boolean isOpen();

  /**
   * Closes the channel: {@code ibv_destroy_comp_channel()}. Closing twice has no effect.
   *
   * @throws VerbsException EBUSY, with nothing changed, while a completion queue uses the channel
   */
  @Override
  void close();
}
