package io.roceverbs.sim.memory;

/**
 * Who uses a key: a queue pair and its protection domain.
 *
 * <p>One object for each queue pair. A window of type 2B is bound to the object, not to the number,
 * so a later queue pair with the number of a destroyed one finds such a window closed.
 *
 * <p>The targets of extended connections have no domain. Their requests use keys as the shared
 * receive queue that they name, which has a scope without a queue pair.
 */
public final class AccessScope {
  private final int protectionDomain;
  private final int queuePair;

  /**
   * Makes the scope of a queue pair.
   *
   * @param protectionDomain number of its protection domain
   * @param queuePair its number, 24 bits
   */
  public AccessScope(int protectionDomain, int queuePair) {
    this.protectionDomain = protectionDomain;
    this.queuePair = queuePair;
  }

  /** Number of the protection domain. */
  public int protectionDomain() {
    return protectionDomain;
  }

  /** Number of the queue pair. */
  public int queuePair() {
    return queuePair;
  }
}
