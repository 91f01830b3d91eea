package io.roceverbs.sim.qp;

import static io.roceverbs.verbs.QueuePairState.ERR;
import static io.roceverbs.verbs.QueuePairState.INIT;
import static io.roceverbs.verbs.QueuePairState.RESET;
import static io.roceverbs.verbs.QueuePairState.RTR;
import static io.roceverbs.verbs.QueuePairState.RTS;
import static io.roceverbs.verbs.QueuePairState.SQD;
import static io.roceverbs.verbs.QueuePairState.SQE;
import static io.roceverbs.verbs.QueuePairState.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.verbs.QueuePairAttribute;
import io.roceverbs.verbs.QueuePairState;
import java.util.EnumSet;
import java.util.List;
import java.util.Scanner;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The table of legal moves of an RC queue pair, against a second copy of it written down as data.
 */
public class TransitionTableTest {
  private static final String WORK = "CUR_STATE ALT_PATH ACCESS_FLAGS PATH_MIG_STATE MIN_RNR_TIMER";

  /** Every legal move: from, to, the required attributes, the optional ones. */
  public static final List<LegalMove> LEGAL =
      List.of(
          move(RESET, RESET, "", ""),
          move(RESET, INIT, "PKEY_INDEX PORT ACCESS_FLAGS", ""),
          move(INIT, RESET, "", ""),
          move(INIT, INIT, "", "PKEY_INDEX PORT ACCESS_FLAGS"),
          move(
              INIT,
              RTR,
              "AV PATH_MTU DEST_QPN RQ_PSN MAX_DEST_RD_ATOMIC MIN_RNR_TIMER",
              "ALT_PATH ACCESS_FLAGS PKEY_INDEX"),
          move(INIT, ERR, "", ""),
          move(RTR, RESET, "", ""),
          move(RTR, RTS, "TIMEOUT RETRY_CNT RNR_RETRY SQ_PSN MAX_QP_RD_ATOMIC", WORK),
          move(RTR, ERR, "", ""),
          move(RTS, RESET, "", ""),
          move(RTS, RTS, "", WORK),
          move(RTS, SQD, "", "EN_SQD_ASYNC_NOTIFY"),
          move(RTS, ERR, "", ""),
          move(SQD, RESET, "", ""),
          move(SQD, RTS, "", WORK),
          move(
              SQD,
              SQD,
              "",
              "PORT AV TIMEOUT RETRY_CNT RNR_RETRY MAX_QP_RD_ATOMIC MAX_DEST_RD_ATOMIC ALT_PATH"
                  + " ACCESS_FLAGS PKEY_INDEX MIN_RNR_TIMER PATH_MIG_STATE"),
          move(SQD, ERR, "", ""),
          move(SQE, RESET, "", ""),
          move(SQE, RTS, "", ""),
          move(SQE, ERR, "", ""),
          move(ERR, RESET, "", ""),
          move(ERR, ERR, "", ""));

  /** One row of the table. */
  public record LegalMove(
      QueuePairState from,
      QueuePairState to,
      Set<QueuePairAttribute> required,
      Set<QueuePairAttribute> optional) {}

  private static LegalMove move(
      QueuePairState from, QueuePairState to, String required, String optional) {
    return new LegalMove(from, to, attributes(required), attributes(optional));
  }

  private static Set<QueuePairAttribute> attributes(String names) {
    EnumSet<QueuePairAttribute> attributes = EnumSet.noneOf(QueuePairAttribute.class);
    new Scanner(names).forEachRemaining(name -> attributes.add(QueuePairAttribute.valueOf(name)));
    return attributes;
  }

  private static LegalMove find(QueuePairState from, QueuePairState to) {
    return LEGAL.stream()
        .filter(move -> move.from() == from && move.to() == to)
        .findFirst()
        .orElse(null);
  }

  @ParameterizedTest
  @EnumSource
  void everyPairOfStatesIsAsInTheLinuxCore(QueuePairState from) {
    for (QueuePairState to : QueuePairState.values()) {
      LegalMove expected = find(from, to);
      TransitionTable.Move move = TransitionTable.move(from, to);
      if (expected == null) {
        assertThat(move).as("%s to %s", from, to).isNull();
      } else {
        assertThat(move).as("%s to %s", from, to).isNotNull();
        assertThat(move.required()).as("%s to %s", from, to).isEqualTo(expected.required());
        assertThat(move.optional()).as("%s to %s", from, to).isEqualTo(expected.optional());
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void reachableStatesAreThoseThatHaveAMove(QueuePairState from) {
    EnumSet<QueuePairState> expected = EnumSet.noneOf(QueuePairState.class);
    LEGAL.stream().filter(move -> move.from() == from).forEach(move -> expected.add(move.to()));
    assertThat(TransitionTable.reachable(from)).isEqualTo(expected);
  }

  @Test
  void nothingLeadsOutOfUnknownOrIntoSqe() {
    assertThat(TransitionTable.reachable(UNKNOWN)).isEmpty();
    for (QueuePairState from : QueuePairState.values()) {
      assertThat(TransitionTable.move(from, SQE)).as("from %s", from).isNull();
    }
  }

  @Test
  void aMoveNamesWhatIsMissingAndWhatIsTooMuch() {
    TransitionTable.Move move = TransitionTable.move(RESET, INIT);
    assertThat(move.missing(attributes("STATE PORT SQ_PSN")))
        .isEqualTo(attributes("PKEY_INDEX ACCESS_FLAGS"));
    assertThat(move.surplus(attributes("STATE PORT SQ_PSN CAP")))
        .isEqualTo(attributes("SQ_PSN CAP"));
  }
}
