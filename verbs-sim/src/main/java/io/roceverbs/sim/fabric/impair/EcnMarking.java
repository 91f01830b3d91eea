package io.roceverbs.sim.fabric.impair;

/**
 * When a queue of the switch marks frames as having met congestion, rather than to wait until it
 * has to drop them. Only frames that say they can be marked are.
 *
 * <p>A frame that finds at most {@code minBytes} waiting is never marked, one that finds more than
 * {@code maxBytes} always; between the two the chance rises from 0 to {@code probabilityMax}.
 *
 * <p>C counterpart: the {@code ecn} option of tc-red(8).
 *
 * @param minBytes where marking begins, 0 or more
 * @param maxBytes where every frame is marked, {@code minBytes} or more
 * @param probabilityMax the chance just below {@code maxBytes}, 0 to 1
 */
public record EcnMarking(int minBytes, int maxBytes, double probabilityMax) {
  /** Nothing is marked. */
  public static final EcnMarking NONE = new EcnMarking(Integer.MAX_VALUE, Integer.MAX_VALUE, 0);

  /**
   * Checks each field.
   *
   * @param minBytes as the component
   * @param maxBytes as the component
   * @param probabilityMax as the component
   * @throws IllegalArgumentException if a field is outside what its description allows
   */
  public EcnMarking {
    if (minBytes < 0 || maxBytes < minBytes) {
      throw new IllegalArgumentException(
          "frames can't be marked from "
              + minBytes
              + " to "
              + maxBytes
              + " bytes; the first must be 0 or more, and not more than the second");
    }
    if (!(probabilityMax >= 0 && probabilityMax <= 1)) {
      throw new IllegalArgumentException("probability " + probabilityMax + " is not in 0 to 1");
    }
  }

  /**
   * Marks every frame that finds more than so many bytes waiting.
   *
   * @param bytes the threshold, 0 or more
   * @return a marking without chance
   */
  public static EcnMarking above(int bytes) {
    return new EcnMarking(bytes, bytes, 1);
  }

  /**
   * The chance that a frame is marked.
   *
   * @param waitingBytes how many bytes of frames it finds waiting
   * @return 0 to 1
   */
  public double probability(int waitingBytes) {
    if (waitingBytes <= minBytes) {
      return 0;
    }
    if (waitingBytes > maxBytes) {
      return 1;
    }
    return probabilityMax * (waitingBytes - minBytes) / ((double) maxBytes - minBytes);
  }
}
