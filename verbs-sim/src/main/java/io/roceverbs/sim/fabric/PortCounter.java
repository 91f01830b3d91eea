package io.roceverbs.sim.fabric;

/** What a port counts besides frames sent and received. */
public enum PortCounter {
  /** A frame sent was dropped by a rule. */
  DROPPED_BY_RULE,
  /** A frame sent was dropped by chance. */
  DROPPED_BY_LOSS,
  /** A frame to this port found the switch's queue full. */
  DROPPED_QUEUE_FULL,
  /** A frame sent was longer than the MTU of a link on its way. */
  DROPPED_TOO_LONG,
  /** A frame was sent to an address that no port has. */
  DROPPED_NO_ROUTE,
  /** A frame from or to this port met its link down. */
  DROPPED_LINK_DOWN,
  /** A frame sent was delayed. */
  DELAYED,
  /** A frame sent was held until the next one had gone. */
  HELD,
  /** A copy was made of a frame sent. */
  DUPLICATED,
  /** A bit was flipped in a frame sent. */
  CORRUPTED,
  /** A frame sent was marked as congested by a rule. */
  MARKED_BY_RULE,
  /** A frame to this port was marked as congested in the switch's queue. */
  MARKED_IN_QUEUE
}
