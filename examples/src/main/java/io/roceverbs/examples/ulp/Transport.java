package io.roceverbs.examples.ulp;

import io.roceverbs.verbs.QueuePairType;
import java.util.Locale;

/** The transport service of an endpoint, and where it takes its receives from. */
public enum Transport {
  /** Reliable connected. */
  RC(QueuePairType.RC),
  /** Unreliable connected: a message that is lost is not sent again. */
  UC(QueuePairType.UC),
  /** Datagrams: one packet a message, with the network header in front of it. */
  UD(QueuePairType.UD),
  /** Reliable connected, with receives out of a shared receive queue. */
  SRQ(QueuePairType.RC),
  /** Extended reliable connected: a queue pair for each direction, and a shared receive queue. */
  XRC(QueuePairType.XRC_SEND);

  private static final int DATAGRAM_HEADER_BYTES = 40;

  private final QueuePairType type;

  Transport(QueuePairType type) {
    this.type = type;
  }

  QueuePairType type() {
    return type;
  }

  boolean isShared() {
    return this == SRQ;
  }

  /** Whether a queue pair only sends, and another one receives. */
  public boolean isExtended() {
    return this == XRC;
  }

  boolean isDatagram() {
    return this == UD;
  }

  /** Whether a message that is lost is sent again. */
  public boolean isReliable() {
    return type == QueuePairType.RC || type == QueuePairType.XRC_SEND;
  }

  /** What stands in front of each message in its receive buffer. */
  int headerBytes() {
    return isDatagram() ? DATAGRAM_HEADER_BYTES : 0;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
