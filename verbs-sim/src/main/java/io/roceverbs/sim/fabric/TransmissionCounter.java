package io.roceverbs.sim.fabric;

import java.util.LinkedHashMap;
import java.util.Map;

/** How often the same packet was sent, for the rules that ask. */
final class TransmissionCounter {
  /** The packet that was first sent the longest ago is forgotten beyond this many. */
  private static final int PACKETS_MAX = 65_536;

  private record Identity(
      int source, int destination, int queuePair, int packetSequenceNumber, int opcode) {}

  private final Map<Identity, Integer> counts =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Identity, Integer> eldest) {
          return size() > PACKETS_MAX;
        }
      };

  /** Counts a frame. Returns the number of the transmission, 1 for the first. */
  int count(Frame frame) {
    Port destination = frame.destination();
    Identity identity =
        new Identity(
            frame.source().index(),
            destination == null ? -1 : destination.index(),
            frame.packet().destinationQueuePair(),
            frame.packet().psn(),
            frame.packet().opcodeValue());
    return counts.merge(identity, 1, Integer::sum);
  }
}
