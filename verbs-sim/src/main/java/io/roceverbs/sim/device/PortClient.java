package io.roceverbs.sim.device;

import io.roceverbs.sim.wire.Packet;
import java.util.function.Consumer;

/**
 * What sits behind a port and speaks in packets: the device, as the fabric sees it.
 *
 * <p>All calls come under the fabric's lock, one at a time, with the fabric's time as an argument.
 */
public interface PortClient {
  /**
   * Gives the next packet to send, if there is one.
   *
   * @param nowNanos the fabric's time
   * @param out the packet to fill; its payload buffer is bound to free memory of the frame, into
   *     which the payload is gathered
   * @return whether {@code out} was filled and is to be sent
   */
  boolean pollTransmit(long nowNanos, Packet out);

  /**
   * Whether it may have a packet to send. Asked before {@link #pollTransmit}, for which a frame
   * must be made ready.
   *
   * @return false only if it has none for certain
   */
  default boolean mayTransmit() {
    return true;
  }

  /** Whether the packet given last by {@link #pollTransmit} had been sent before. */
  boolean lastWasRetransmission();

  /**
   * Takes a packet that arrived whole, with a right ICRC.
   *
   * @param packet valid during the call only
   */
  void handlePacket(long nowNanos, Packet packet);

  /** Says, in a line each, what is not finished, for a report of a ULP that is stuck. */
  default void describeUnfinished(Consumer<String> lines) {}
}
