package io.roceverbs.sim.fabric;

/** Why a frame is lost between two ports. */
enum DropReason {
  RULE("dropped by rule", PortCounter.DROPPED_BY_RULE),
  LOSS("dropped by chance", PortCounter.DROPPED_BY_LOSS),
  QUEUE_FULL("queue full", PortCounter.DROPPED_QUEUE_FULL),
  TOO_LONG("longer than the MTU of the link", PortCounter.DROPPED_TOO_LONG),
  NO_ROUTE("no such address", PortCounter.DROPPED_NO_ROUTE),
  LINK_DOWN("link down", PortCounter.DROPPED_LINK_DOWN);

  private final String text;
  private final PortCounter counter;

  DropReason(String text, PortCounter counter) {
    this.text = text;
    this.counter = counter;
  }

  String text() {
    return text;
  }

  PortCounter counter() {
    return counter;
  }
}
