package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.ConnectionSetup;
import io.roceverbs.sim.LinkConfiguration;
import io.roceverbs.sim.conformance.LossSweepTest.Exchange;
import io.roceverbs.sim.conformance.LossSweepTest.Outcome;
import io.roceverbs.sim.conformance.LossSweepTest.Script;
import io.roceverbs.verbs.PathMtu;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two faults in one exchange, at every pair of its packets; the second one also hits what is sent
 * again.
 */
class LossPairsTest {
  /**
   * How many packets beyond the lossless run are hit: those are sent again because of the first
   * loss.
   */
  private static final int BEYOND = 4;

  private static ConnectionSetup setup() {
    return Pair.setup()
        .withRetries(7, 7)
        .withPathMtu(PathMtu.MTU_256)
        .withFirstPsn(LossSweepTest.FIRST_PSN);
  }

  private static List<String> places(Outcome lossless) {
    List<String> places = new ArrayList<>();
    for (String direction : List.of("a>b", "b>a")) {
      int packets = lossless.packets(direction.substring(0, 1)) + BEYOND;
      for (int packet = 1; packet <= packets; packet++) {
        places.add(direction + "/ANY#" + packet);
      }
    }
    return places;
  }

  /**
   * Here a packet of 256 bytes takes 2.6 ms, so that responses come while packets are being sent
   * again.
   */
  private static final LinkConfiguration SLOW = LinkConfiguration.DEFAULT.withBandwidth(1_000_000L);

  private static int sweep(
      LinkConfiguration link, Script script, String firstVerdict, String secondVerdict) {
    Outcome lossless = LossSweepTest.run(link, setup(), script);
    List<String> places = places(lossless);
    int both = 0;
    for (int first = 0; first < places.size(); first++) {
      for (int second = first + 1; second < places.size(); second++) {
        String one = firstVerdict + ":" + places.get(first);
        String two = secondVerdict + ":" + places.get(second);
        Outcome outcome = LossSweepTest.run(link, setup(), script, one, two);
        outcome.assertSameAs(lossless, one + " and " + two);
        both += outcome.faults() == 2 ? 1 : 0;
      }
    }
    int lossy = places.size() - 2 * BEYOND;
    assertThat(both).isGreaterThanOrEqualTo(lossy * (lossy - 1) / 2);
    return both;
  }

  @Test
  @Checks({"GO-BACK-N", "RETRY-RELOAD", "RETRY-ONCE-PER-GAP"})
  void anyTwoLostPacketsChangeNothingThatAProgramSees() {
    assertThat(sweep(LinkConfiguration.DEFAULT, Exchange::postShort, "drop", "drop")).isPositive();
  }

  @Test
  @Checks({"RESPONSE-GHOST", "DUPLICATE-ACK", "ATOMIC-ONCE"})
  void aGhostBesideALossChangesNothingThatAProgramSees() {
    assertThat(sweep(LinkConfiguration.DEFAULT, Exchange::postShort, "delay=70ms", "drop"))
        .isPositive();
  }

  @ParameterizedTest
  @ValueSource(ints = {40, 55, 60})
  @Checks({"ACK-IMPLIED", "LOCAL-ONCE", "READ-RESUME"})
  void aLateResponseDuringAGoBackChangesNothingThatAProgramSees(int delay) {
    String late = "delay=" + delay + "ms";
    assertThat(sweep(SLOW, Exchange::postTiny, "drop", late)).isPositive();
    assertThat(sweep(SLOW, Exchange::postTiny, late, "drop")).isPositive();
  }
}
