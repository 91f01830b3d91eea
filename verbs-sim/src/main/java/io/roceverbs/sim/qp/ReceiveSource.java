package io.roceverbs.sim.qp;

/**
 * Where a responder takes its receives from: a queue of its own, or one that it shares with others.
 */
interface ReceiveSource {
  /** Whether there is no receive to take. */
  boolean isEmpty();

  /** How many receives can be taken. */
  int size();

  /** The receive that the next message gets, which stays where it is. */
  ReceiveWork first();

  /** Takes the first receive for the message that begins. */
  ReceiveWork take();

  /** The receive that was taken and is not finished. */
  ReceiveWork taken();

  /**
   * Lets go of the receive that was taken: it completes.
   *
   * @return the position up to which polling its completion frees slots
   */
  long finish();

  /** The protection domain through which the memory of its receives is reached. */
  int domain();

  /** Whether other queue pairs take from it as well. */
  boolean isShared();
}
