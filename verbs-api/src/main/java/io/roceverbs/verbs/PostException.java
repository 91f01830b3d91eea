package io.roceverbs.verbs;

/**
 * A post was refused: the errno of {@code ibv_post_send()} or {@code ibv_post_recv()} together with
 * its {@code bad_wr}.
 *
 * <p>The requests before the bad one <em>are</em> posted and will execute; the bad one and all
 * behind it are not. ENOMEM means that the queue is full and a later try can succeed; EINVAL means
 * that this request can never be right as it is.
 *
 * <p>Source: ibv_post_send(3), ibv_post_recv(3).
 */
public final class PostException extends VerbsException {
  private static final long serialVersionUID = 1L;

  /** Position of the refused request in the chain. */
  private final int badRequestIndex;

  /** Id of the refused request. */
  private final long badRequestId;

  /**
   * Makes an exception whose message also tells which requests were posted.
   *
   * @param errno the error number that C would give
   * @param call the call that failed, as {@code Type.method}
   * @param detail what was wrong, what would have been legal and what to do
   * @param badRequestIndex position of the refused request in the chain, 0 for the first
   * @param badRequestId id of the refused request
   */
  public PostException(
      Errno errno, String call, String detail, int badRequestIndex, long badRequestId) {
    super(errno, call, describe(detail, badRequestIndex, badRequestId));
    this.badRequestIndex = badRequestIndex;
    this.badRequestId = badRequestId;
  }

  private static String describe(String detail, int index, long id) {
    String posted =
        switch (index) {
          case 0 -> "nothing was posted";
          case 1 -> "request 0 was posted";
          default -> "requests 0 to " + (index - 1) + " were posted";
        };
    return "request " + index + " of the chain (id " + id + "): " + detail + "; " + posted;
  }

  /** {@return the index of the refused request in the chain; also how many were posted} */
  public int badRequestIndex() {
    return badRequestIndex;
  }

  /** {@return the id that the refused request was given by {@code reset}} */
  public long badRequestId() {
    return badRequestId;
  }
}
