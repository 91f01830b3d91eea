package io.roceverbs.verbs;

/**
 * A completion reported an error, and the program had asked for success with {@link
 * WorkCompletion#requireSuccess()}.
 *
 * <p>It is no {@link VerbsException}: the call that polled the completion worked, and there is no
 * errno. Not to be confused with {@link java.util.concurrent.CompletionException}.
 *
 * <p>Immutable, so it may be passed between threads.
 */
public final class CompletionException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The {@code wr_id} of the failed request. */
  private final long id;

  /** Number of the local queue pair. */
  private final int queuePairNumber;

  /** The error. */
  private final CompletionStatus status;

  /** The provider's own error code. */
  private final int vendorError;

  /** The check that failed, in words. */
  private final String detail;

  /**
   * Makes an exception from the fields of an error completion, which may be reused afterwards.
   *
   * @param completion an error completion
   */
  CompletionException(WorkCompletion completion) {
    super(describe(completion));
    id = completion.id();
    queuePairNumber = completion.queuePairNumber();
    status = completion.status();
    vendorError = completion.vendorError();
    detail = completion.detail();
  }

  private static String describe(WorkCompletion completion) {
    CompletionStatus status = completion.status();
    return "request "
        + completion.id()
        + " of queue pair "
        + completion.queuePairNumber()
        + ": "
        + status
        + " ("
        + status.value()
        + ") "
        + status.text()
        + (completion.detail().isEmpty() ? "" : ": " + completion.detail());
  }

  /** {@return the error completion, as a new and independent copy} */
  public WorkCompletion completion() {
    WorkCompletion completion = new WorkCompletion();
    completion.setFailure(id, queuePairNumber, status, vendorError, detail);
    return completion;
  }
}
