package io.roceverbs.verbs;

/**
 * Requests that are posted together, all or none: the {@code ibv_wr_*} calls on a {@code struct
 * ibv_qp_ex}.
 *
 * <pre>{@code
 * SendBatch batch = queuePair.createSendBatch();
 * batch.begin(1).rdmaWrite(address, rkey).segment(memory, 0, 4096);
 * batch.begin(2).send().inlineData(reply).signaled();
 * batch.complete();
 * }</pre>
 *
 * <p>{@link #begin} stands for {@code ibv_wr_start()} and the {@code wr_id}; the methods of the
 * request that it gives stand for the operation ({@code ibv_wr_send()} and its kin), for {@code
 * wr_flags} and for the setters ({@code ibv_wr_set_sge()}, {@code ibv_wr_set_inline_data()}, {@code
 * ibv_wr_set_ud_addr()}, {@code ibv_wr_set_xrc_srqn()}). Nothing is checked before {@link
 * #complete()}, which posts every request or none, where {@link QueuePair#post(SendRequest)} posts
 * those before the first bad one.
 *
 * <p>A batch is reusable and allocates nothing once warm. Any number of batches of one queue pair
 * may be open at a time: unlike in C none keeps the others waiting, and the order of their requests
 * is that of the completes.
 *
 * <p>Not thread-safe: one thread at a time fills a batch. Each thread that posts makes its own.
 *
 * <p>Source: ibv_wr_post(3).
 */
public interface SendBatch {
  /** {@return the queue pair that the requests go to} */
  QueuePair queuePair();

  /**
   * Begins a request: {@code ibv_wr_start()} for the first one, and the {@code wr_id}.
   *
   * @param id any number, given back by {@link WorkCompletion#id()}
   * @return an empty request, to be given exactly one operation and no chain. It is the batch's:
   *     after complete or abort it may be the request of another begin
   * @throws IllegalStateException if the batch holds {@link QueuePairCapacities#maxSendRequests()}
   *     requests, so that it could never be posted
   */
  SendRequest begin(long id);

  /** {@return how many requests were begun since the last complete or abort} */
  int size();

  /**
   * Posts all requests in order: {@code ibv_wr_complete()}. The batch is empty afterwards, whether
   * it was posted or not.
   *
   * @throws VerbsException for the first request that is wrong, with nothing posted: EINVAL as for
   *     {@link QueuePair#post(SendRequest)}, and for an operation that the queue pair was not
   *     created for, or a chain; ENOMEM if the queue has not as many free slots
   */
  void complete();

  /** Forgets all requests: {@code ibv_wr_abort()}. */
  void abort();
}
