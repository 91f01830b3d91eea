package io.roceverbs.examples;

/** What the user asked for can't be done; the message says in one line why. */
final class UsageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UsageException(String message) {
    super(message);
  }

  UsageException(String message, Throwable cause) {
    super(message, cause);
  }

  /** Refuses an option whose value is out of range. */
  static void checkRange(String option, int value, int least, int most) {
    if (value < least || value > most) {
      throw new UsageException(option + " " + value + " is not in " + least + " to " + most);
    }
  }
}
