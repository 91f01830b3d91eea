package io.roceverbs.sim.device;

import io.roceverbs.verbs.Gid;

/**
 * What a device needs of the fabric that it is plugged into: time, a turn, and exclusive access.
 *
 * <p>The device does not know whether time is virtual or real, nor which channel carries its
 * packets.
 */
public interface DeviceHost {
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

  /**
   * Gives the fabric a turn: in virtual time the next event happens now.
   *
   * @return whether anything happened
   */
  boolean turn();

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
