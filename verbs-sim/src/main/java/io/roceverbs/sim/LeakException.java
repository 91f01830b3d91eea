package io.roceverbs.sim;

import java.util.List;

/**
 * A fabric was closed with verbs objects open, and was made with {@link LeakCheck#FAIL}.
 *
 * <p>Immutable, so it may be passed between threads.
 */
public final class LeakException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  /** What was open. */
  private final transient List<Leak> leaks;

  LeakException(List<Leak> leaks) {
    super(describe(leaks));
    this.leaks = List.copyOf(leaks);
  }

  /** All that is open, line by line. */
  static String describe(List<Leak> leaks) {
    StringBuilder text = new StringBuilder("the fabric was closed with ");
    text.append(leaks.size()).append(leaks.size() == 1 ? " object open:" : " objects open:");
    for (Leak leak : leaks) {
      text.append("\n  ").append(leak);
    }
    return text.toString();
  }

  /**
   * What was open.
   *
   * @return by node, those made first at the beginning
   */
  public List<Leak> leaks() {
    return leaks;
  }
}
