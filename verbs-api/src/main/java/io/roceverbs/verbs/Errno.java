package io.roceverbs.verbs;

/**
 * Error number of a failed call: the constants of C's {@code <errno.h>} that verbs use, with Linux
 * values.
 *
 * <p>libibverbs returns a positive number or sets {@code errno}, the kernel returns it negated; a
 * {@link VerbsException} carries one of these.
 *
 * <p>Source: Linux {@code include/uapi/asm-generic/errno-base.h} and {@code errno.h}; texts as from
 * strerror(3).
 */
public enum Errno {
  /** The caller has no right to do this, for example to set a privileged Q_Key. */
  EPERM(1, "Operation not permitted"),

  /** Nothing there: a name, an entry or the next completion. */
  ENOENT(2, "No such file or directory"),

  /** The device has failed, or was taken away: it does nothing any more. */
  EIO(5, "Input/output error"),

  /** Not now; the same call may work later. */
  EAGAIN(11, "Resource temporarily unavailable"),

  /** A queue is full, or the device has no further object of this kind. */
  ENOMEM(12, "Cannot allocate memory"),

  /** The object is still used by others; close those first. */
  EBUSY(16, "Device or resource busy"),

  /** The device is gone. */
  ENODEV(19, "No such device"),

  /** An argument, an attribute mask or the state of the object makes the call illegal. */
  EINVAL(22, "Invalid argument"),

  /** There is no room for the data. */
  ENOSPC(28, "No space left on device"),

  /** The index is legal and its entry is empty. */
  ENODATA(61, "No data available"),

  /** The device does not have this feature. */
  EOPNOTSUPP(95, "Operation not supported");

  private static final ValueTable<Errno> BY_VALUE = ValueTable.of(Errno.class, Errno::value);

  private final int value;
  private final String text;

  Errno(int value, String text) {
    this.value = value;
    this.text = text;
  }

  /** {@return the number of this error on Linux, positive} */
  public int value() {
    return value;
  }

  /** {@return the text of this error as strerror(3) gives it in the C locale} */
  public String text() {
    return text;
  }

  /**
   * Finds an error by its number.
   *
   * @param value the positive error number
   * @return the constant with that number
   * @throws IllegalArgumentException if no constant has the value; the message lists the legal ones
   */
  public static Errno fromValue(int value) {
    return BY_VALUE.get(value);
  }
}
