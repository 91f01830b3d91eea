package io.roceverbs.verbs;

/**
 * Where outcomes of work requests wait to be polled: {@code struct ibv_cq}, kernel {@code struct
 * ib_cq}.
 *
 * <p>If more completions arrive than fit, the surplus is lost, {@link AsyncEventType#CQ_ERR} is
 * raised, and the queue pairs that use the queue fail; a program prevents it by a capacity for all
 * requests that can be outstanding.
 *
 * <p>All methods may be called from any thread.
 *
 * <p>Source: ibv_create_cq(3), ibv_poll_cq(3).
 */
public interface CompletionQueue extends AutoCloseable {
  /** {@return the context this queue was created on} */
  DeviceContext context();

  /** {@return how many completions fit, the {@code cqe}: at least what was asked for} */
  int capacity();

  /**
   * Takes completions: {@code ibv_poll_cq()}. It never waits. The polled entries leave the queue,
   * and their requests, with all earlier ones of the same queue, free their slots.
   *
   * @param completions gets the completions from index 0, oldest first, at most its capacity; what
   *     it held is lost
   * @return how many completions were taken, 0 if there are none
   * @throws VerbsException EINVAL if the queue is closed
   */
  int poll(WorkCompletions completions);

  /** {@return true until {@link #close()} has succeeded} */
  boolean isOpen();

  /**
   * Closes the queue: {@code ibv_destroy_cq()}. Closing twice has no effect.
   *
   * @throws VerbsException EBUSY, with nothing changed, while a queue pair uses the queue or an
   *     asynchronous event of it is unacknowledged
   */
  @Override
  void close();
}
