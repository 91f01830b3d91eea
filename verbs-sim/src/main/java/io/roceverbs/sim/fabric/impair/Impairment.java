package io.roceverbs.sim.fabric.impair;

/**
 * Faults by chance. For each packet that no rule hit, each fault is drawn in the order of the
 * fields below, and the first one drawn happens.
 *
 * <p>All draws come from one source with the seed of the fabric: equal seeds and equal calls give
 * equal faults.
 *
 * <p>The nearest that Linux has are {@code loss}, {@code corrupt}, {@code duplicate}, {@code
 * reorder} and {@code delay} of tc-netem(8).
 *
 * @param dropProbability chance that a packet is lost, 0 to 1
 * @param corruptProbability chance that its last bit before the ICRC is flipped, 0 to 1
 * @param duplicateProbability chance that it arrives twice, 0 to 1
 * @param behindNextProbability chance that it arrives behind the next packet of its direction, 0 to
 *     1
 * @param delayProbability chance that it is late, 0 to 1
 * @param delayNanosMax the longest delay; each delay is drawn from 1 ns to this. At least 1 if
 *     {@code delayProbability} is not 0
 */
public record Impairment(
    double dropProbability,
    double corruptProbability,
    double duplicateProbability,
    double behindNextProbability,
    double delayProbability,
    long delayNanosMax) {
  /** No faults. */
  public static final Impairment NONE = new Impairment(0, 0, 0, 0, 0, 0);

  /**
   * Checks each field.
   *
   * @param dropProbability as the component
   * @param corruptProbability as the component
   * @param duplicateProbability as the component
   * @param behindNextProbability as the component
   * @param delayProbability as the component
   * @param delayNanosMax as the component
   * @throws IllegalArgumentException if a field is outside what its description allows
   */
  public Impairment {
    checkProbability("drop", dropProbability);
    checkProbability("corrupt", corruptProbability);
    checkProbability("duplicate", duplicateProbability);
    checkProbability("behind-next", behindNextProbability);
    checkProbability("delay", delayProbability);
    long least = delayProbability > 0 ? 1 : 0;
    if (delayNanosMax < least || delayNanosMax > Verdict.DELAY_NANOS_MAX) {
      throw new IllegalArgumentException(
          "longest delay of "
              + delayNanosMax
              + " ns is not in "
              + least
              + " ns to "
              + Verdict.DELAY_NANOS_MAX
              + " ns");
    }
  }

  private static void checkProbability(String what, double probability) {
    if (!(probability >= 0 && probability <= 1)) {
      throw new IllegalArgumentException(
          what + " probability " + probability + " is not in 0 to 1");
    }
  }

  /**
   * Packets are lost with this chance, and nothing else happens.
   *
   * @param probability chance of loss, 0 to 1
   * @return a new impairment
   */
  public static Impairment loss(double probability) {
    return NONE.withDrop(probability);
  }

  /**
   * The same with another chance of loss.
   *
   * @param probability chance of drop, 0 to 1
   * @return a new impairment
   */
  public Impairment withDrop(double probability) {
    return new Impairment(
        probability,
        corruptProbability,
        duplicateProbability,
        behindNextProbability,
        delayProbability,
        delayNanosMax);
  }

  /**
   * The same with another chance of a flipped bit.
   *
   * @param probability chance of corruption, 0 to 1
   * @return a new impairment
   */
  public Impairment withCorrupt(double probability) {
    return new Impairment(
        dropProbability,
        probability,
        duplicateProbability,
        behindNextProbability,
        delayProbability,
        delayNanosMax);
  }

  /**
   * The same with another chance of a second arrival.
   *
   * @param probability chance of duplication, 0 to 1
   * @return a new impairment
   */
  public Impairment withDuplicate(double probability) {
    return new Impairment(
        dropProbability,
        corruptProbability,
        probability,
        behindNextProbability,
        delayProbability,
        delayNanosMax);
  }

  /**
   * The same with another chance of being overtaken by the next packet.
   *
   * @param probability chance of being overtaken, 0 to 1
   * @return a new impairment
   */
  public Impairment withBehindNext(double probability) {
    return new Impairment(
        dropProbability,
        corruptProbability,
        duplicateProbability,
        probability,
        delayProbability,
        delayNanosMax);
  }

  /**
   * The same with another chance of delay, and another longest delay.
   *
   * @param probability chance of delay, 0 to 1
   * @param nanosMax the longest delay in nanoseconds
   * @return a new impairment
   */
  public Impairment withDelay(double probability, long nanosMax) {
    return new Impairment(
        dropProbability,
        corruptProbability,
        duplicateProbability,
        behindNextProbability,
        probability,
        nanosMax);
  }
}
