package io.roceverbs.sim.fabric.impair;

/**
 * A fault as data: which packets, and what happens to them.
 *
 * <p>The text form is {@code verdict:from>to/kind[@psn][#occurrence][~transmission]}:
 *
 * <pre>
 *   drop:bob&gt;alice/ACK#1                     the first ACK from bob to alice is lost
 *   drop:*&gt;*&#47;ANY                          everything is lost
 *   delay=1ms:alice&gt;bob/RC_SEND_ONLY@0x000100  each such packet with that PSN is late
 *   behind:alice&gt;bob/SEND#2-4                swapped with the packet after it
 *   duplicate:alice&gt;bob/SEND#2~1             the second SEND packet that is sent for the first time
 *   corrupt=12:bob&gt;alice/READ_RESPONSE#2+    bit 12 of all from the second on
 *   mark:alice&gt;bob.2/WRITE                 marked as congested on the way to bob's second port
 * </pre>
 *
 * <p>{@code kind} is a {@link PacketClass} or an {@link io.roceverbs.sim.wire.Opcode}. Several
 * rules are tried in the order in which they were added and the first that hits decides; each of
 * them counts every packet, so that {@code ACK#2} is the second ACK sent whatever became of the
 * first.
 *
 * @param match which packets
 * @param verdict what happens to them
 */
public record Rule(Match match, Verdict verdict) {
  /**
   * Reads the text form.
   *
   * @param token what {@link #toString()} gives
   * @return the rule
   * @throws IllegalArgumentException if the text is not one; it says which part, and what is legal
   */
  public static Rule parse(String token) {
    return new RuleParser(token).parse();
  }

  /** The text form, which {@link #parse} reads back. */
  @Override
  public String toString() {
    return verdict + ":" + match;
  }
}
