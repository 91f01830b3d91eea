package io.roceverbs.sim.device;

import io.roceverbs.sim.ulp.UlpStoppedException;
import io.roceverbs.sim.ulp.UlpStuckException;
import io.roceverbs.verbs.Gid;
import java.time.Instant;

/**
 * What a device needs of the fabric that it is plugged into: time, a turn, and exclusive access.
 *
 * <p>The device does not know whether time is virtual or real, nor which channel carries its
 * packets.
 */
public interface DeviceHost {
  /** What time zero of every fabric is on the wall clock. */
  Instant EPOCH = Instant.parse("2000-01-01T00:00:00Z");

  /**
   * Begins a verbs call: from here to {@link #exit()} no other thread and no packet touches the
   * device. Nestable.
   */
  void enter();

  /**
   * Begins a verbs call as {@link #enter()} does, unless the fabric is closed.
   *
   * @return whether it has begun
   */
  boolean tryEnter();

  /** Ends a verbs call; what it made ready for sending leaves now. */
  void exit();

  /** The fabric's time in nanoseconds. */
  long nanoTime();

  /**
   * Says that {@code client} has packets to send; they are fetched before the present call or event
   * ends.
   */
  void transmitReady(PortClient client);

  /** Says that the deadline of {@code timer} has moved. */
  void timerChanged(DeviceTimer timer);

  /** Whether time passes by itself, so that threads may be in calls at the same time. */
  boolean isRealTime();

  /**
   * Whether a post or a poll need not enter the host: time passes by itself, and no thread has to
   * be told that its run has ended. May be asked by any thread at any time.
   */
  boolean mayStayOutside();

  /**
   * Lets a doorbell be answered soon: something was posted by a call that has not entered the host.
   * May be called by any thread at any time.
   */
  void ring(Doorbell doorbell);

  /**
   * Takes note that a ULP polled a place and found nothing: another thread of the ULP runs, or, in
   * virtual time, the next event happens. Returns soon, whether or not there is something by then;
   * at once if called from inside an event, or from a verbs call inside another one.
   *
   * <p>The caller has entered the host once; others may enter while this call waits.
   *
   * @throws UlpStuckException if the ULP polls on and on, and nothing is left to happen
   * @throws UlpStoppedException if the run of the calling thread has ended
   */
  void polledInVain(PolledPlace place);

  /** Takes note that there is something to poll at a place: who polls it may run. */
  void readyToPoll(PolledPlace place);

  /**
   * Lets the calling thread of a ULP wait, while others run and time passes. A completion channel
   * waits for its next event this way.
   *
   * <p>The caller has entered the host once; others may enter while this call waits, so it checks
   * anew whatever it knew.
   *
   * @param untilNanos when the wait ends at the latest, in the fabric's time, or {@link
   *     DeviceTimer#NEVER}
   * @return whether what it waited for has come; if not, the time has
   * @throws IllegalStateException if called from inside an event, or from a verbs call inside
   *     another one, where nobody may wait; or if the fabric was closed meanwhile
   * @throws UlpStuckException if nothing is left to happen
   * @throws UlpStoppedException if the run of the calling thread has ended
   */
  boolean await(UlpWait wait, long untilNanos);

  /**
   * Lets the calling thread wait for what only other threads of the ULP, or events, can bring. In
   * virtual time the wait ends when none of them is left to go on, and is none if there is no other
   * thread. In real time, where nobody knows the threads of a program, it ends as {@link #await}
   * does.
   *
   * <p>The caller has entered the host once; others may enter while this call waits, so it checks
   * anew whatever it knew.
   *
   * @return whether it has come; false at once if called where nobody may wait, inside an event or
   *     a verbs call inside another one
   * @throws IllegalStateException if the fabric was closed meanwhile
   * @throws UlpStoppedException if the run of the calling thread has ended, or, in real time, the
   *     thread is interrupted
   */
  boolean awaitOthers(UlpWait wait);

  /** Takes note that a call did something that another one may wait for. */
  void signalChange();

  /** Lets packets to a multicast group come to this port. */
  void joinGroup(Gid group);

  /** Ends what {@link #joinGroup} began. */
  void leaveGroup(Gid group);

  /** Whether the link of the device's port is up. */
  boolean isLinkUp();

  /** Whether the device stands still: it neither sends nor takes anything. */
  boolean isPaused();

  /** What the ULPs of the fabric have done and have left to do. */
  UlpActivity activity();
}
