package io.roceverbs.verbs;

/**
 * A completion queue that gives the fields that were asked for, one completion at a time: {@code
 * struct ibv_cq_ex}.
 *
 * <pre>{@code
 * if (queue.startPoll()) {
 *   do {
 *     handle(queue.id(), queue.status(), queue.timestamp());
 *   } while (queue.nextPoll());
 *   queue.endPoll();
 * }
 * }</pre>
 *
 * <p>Between {@link #startPoll()} and {@link #endPoll()} the getters speak of one completion, which
 * no other call changes. The entries that were looked at leave the queue at {@code endPoll()}, all
 * together, and free the slots of their requests then. The queue may also be polled with {@link
 * #poll}, but not meanwhile.
 *
 * <p>A getter throws an IllegalStateException if no poll is under way, if the queue was not asked
 * for its field at creation, or, as those of {@link WorkCompletion}, if the completion has no such
 * field. Nothing is allocated.
 *
 * <p>One thread at a time polls; the other methods may be called from any thread.
 *
 * <p>Source: ibv_create_cq_ex(3).
 */
public interface ExtendedCompletionQueue extends CompletionQueue {
  /**
   * Begins a poll and goes to the oldest completion: {@code ibv_start_poll()}.
   *
   * @return false where C says ENOENT: the queue is empty, no poll has begun, and {@link
   *     #endPoll()} must not be called
   * @throws VerbsException EINVAL if the queue is closed, EBUSY if a poll is under way
   */
  boolean startPoll();

  /**
   * Goes to the next completion: {@code ibv_next_poll()}.
   *
   * @return false where C says ENOENT: there is none, the getters still speak of the last one, and
   *     the poll is still to be ended
   * @throws VerbsException EINVAL if no poll is under way
   */
  boolean nextPoll();

  /**
   * Ends the poll, and takes out of the queue what it went over: {@code ibv_end_poll()}.
   *
   * @throws VerbsException EINVAL if no poll is under way
   */
  void endPoll();

  /** {@return the id of the request, its {@code wr_id}} */
  long id();

  /** {@return the outcome, the {@code status}} */
  CompletionStatus status();

  /** {@return what completed: {@code ibv_wc_read_opcode()}} */
  CompletionOpcode opcode();

  /**
   * {@return the number of the check that failed, 0 on success: {@code ibv_wc_read_vendor_err()}}
   */
  int vendorError();

  /** {@return the error in words, as {@link WorkCompletion#detail()}; empty on success} */
  String detail();

  /** {@return the OR of {@link CompletionFlag} values: {@code ibv_wc_read_wc_flags()}} */
  int flags();

  /**
   * {@return how many bytes a receive, READ or atomic brought: {@code ibv_wc_read_byte_len()};
   * needs {@link CompletionField#BYTE_LEN}}
   */
  int byteLength();

  /**
   * {@return the immediate of the peer: {@code ibv_wc_read_imm_data()}; needs {@link
   * CompletionField#IMM}}
   */
  int immediate();

  /**
   * {@return the key that was invalidated: {@code ibv_wc_read_invalidated_rkey()}; needs {@link
   * CompletionField#IMM}}
   */
  int invalidatedRkey();

  /**
   * {@return the number of the local queue pair: {@code ibv_wc_read_qp_num()}; needs {@link
   * CompletionField#QP_NUM}}
   */
  int queuePairNumber();

  /**
   * {@return the number of the queue pair that sent a datagram: {@code ibv_wc_read_src_qp()}; needs
   * {@link CompletionField#SRC_QP}}
   */
  int sourceQueuePairNumber();

  /**
   * {@return the local identifier of the port that sent a datagram, 0 on RoCE: {@code
   * ibv_wc_read_slid()}; needs {@link CompletionField#SLID}}
   */
  int sourceLocalIdentifier();

  /**
   * {@return the service level of a datagram, 0 on RoCE without a VLAN tag: {@code
   * ibv_wc_read_sl()}; needs {@link CompletionField#SL}}
   */
  int serviceLevel();

  /**
   * {@return which of the local identifiers of this port a datagram was sent to, 0 on RoCE: {@code
   * ibv_wc_read_dlid_path_bits()}; needs {@link CompletionField#DLID_PATH_BITS}}
   */
  int localIdentifierPathBits();

  /**
   * {@return when the completion was put into the queue, in ticks of the device's clock: {@code
   * ibv_wc_read_completion_ts()}; needs {@link CompletionField#COMPLETION_TIMESTAMP}}
   */
  long timestamp();

  /**
   * {@return when the completion was put into the queue, in nanoseconds since 1970: {@code
   * ibv_wc_read_completion_wallclock_ns()}; needs {@link
   * CompletionField#COMPLETION_TIMESTAMP_WALLCLOCK}}
   */
  long wallclockNanos();
}
