package consumer;

import io.roceverbs.verbs.Errno;

/** A user's protocol, the thing to test. */
public final class Protocol {
  private Protocol() {}

  public static Errno refusal() {
    return Errno.EINVAL;
  }
}
