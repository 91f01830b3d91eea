package io.roceverbs.verbs;

/**
 * A verb failed at the call: the errno that {@code ibv_...()} returns or sets, with the reason in
 * words.
 *
 * <p>It is unchecked, since most verbs fail only through a mistake of the program. A failed call
 * changed nothing, unless its own documentation says otherwise. What goes wrong later, while a
 * posted request executes, is not an exception but a {@link WorkCompletion} with an error status.
 *
 * <p>Immutable, so it may be passed between threads.
 */
public class VerbsException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The error number that C would give. */
  private final Errno errno;

  /** The call that failed. */
  private final String call;

  /**
   * Makes an exception with the message {@code <call>: <detail> [EINVAL (22) Invalid argument]}.
   *
   * @param errno the error number that C would give
   * @param call the call that failed, as {@code Type.method}
   * @param detail what was wrong, what would have been legal and what to do
   */
  public VerbsException(Errno errno, String call, String detail) {
    super(call + ": " + detail + " [" + errno + " (" + errno.value() + ") " + errno.text() + "]");
    this.errno = errno;
    this.call = call;
  }

  /** {@return the error number that C would give} */
  public final Errno errno() {
    return errno;
  }

  /** {@return the call that failed, as {@code Type.method}} */
  public final String call() {
    return call;
  }
}
