package io.roceverbs.sim.qp;

import static io.roceverbs.verbs.QueuePairState.ERR;
import static io.roceverbs.verbs.QueuePairState.INIT;
import static io.roceverbs.verbs.QueuePairState.RESET;
import static io.roceverbs.verbs.QueuePairState.SQE;
import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.conformance.Checks;
import io.roceverbs.verbs.QueuePairAttribute;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.QueuePairType;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Scanner;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The tables of legal moves, against a second copy of them written down as data. */
public class TransitionTableTest {
  /**
   * Every legal move but those to RESET and ERR: from, to, types, the required attributes, the
   * optional ones.
   */
  private static final String[][] ROWS = {
    {"RESET", "INIT", "RC UC XRC_SEND XRC_RECV", "PKEY_INDEX PORT ACCESS_FLAGS", ""},
    {"RESET", "INIT", "UD", "PKEY_INDEX PORT QKEY", ""},
    {"RESET", "INIT", "SMI GSI", "PKEY_INDEX QKEY", ""},
    {"RESET", "INIT", "RAW_PACKET", "PORT", ""},
    {"RESET", "INIT", "DRIVER", "", ""},
    {"INIT", "INIT", "RC UC XRC_SEND XRC_RECV", "", "PKEY_INDEX PORT ACCESS_FLAGS"},
    {"INIT", "INIT", "UD", "", "PKEY_INDEX PORT QKEY"},
    {"INIT", "INIT", "SMI GSI", "", "PKEY_INDEX QKEY"},
    {"INIT", "INIT", "RAW_PACKET DRIVER", "", ""},
    {
      "INIT",
      "RTR",
      "RC XRC_RECV",
      "AV PATH_MTU DEST_QPN RQ_PSN MAX_DEST_RD_ATOMIC MIN_RNR_TIMER",
      "ALT_PATH ACCESS_FLAGS PKEY_INDEX"
    },
    {
      "INIT",
      "RTR",
      "UC XRC_SEND",
      "AV PATH_MTU DEST_QPN RQ_PSN",
      "ALT_PATH ACCESS_FLAGS PKEY_INDEX"
    },
    {"INIT", "RTR", "UD SMI GSI", "", "PKEY_INDEX QKEY"},
    {"INIT", "RTR", "RAW_PACKET DRIVER", "", ""},
    {
      "RTR",
      "RTS",
      "RC",
      "TIMEOUT RETRY_CNT RNR_RETRY SQ_PSN MAX_QP_RD_ATOMIC",
      "CUR_STATE ALT_PATH ACCESS_FLAGS PATH_MIG_STATE MIN_RNR_TIMER"
    },
    {
      "RTR",
      "RTS",
      "XRC_SEND",
      "TIMEOUT RETRY_CNT RNR_RETRY SQ_PSN MAX_QP_RD_ATOMIC",
      "CUR_STATE ALT_PATH ACCESS_FLAGS PATH_MIG_STATE"
    },
    {
      "RTR",
      "RTS",
      "XRC_RECV",
      "TIMEOUT SQ_PSN",
      "CUR_STATE ALT_PATH ACCESS_FLAGS PATH_MIG_STATE MIN_RNR_TIMER"
    },
    {"RTR", "RTS", "UC", "SQ_PSN", "CUR_STATE ALT_PATH ACCESS_FLAGS PATH_MIG_STATE"},
    {"RTR", "RTS", "UD SMI GSI", "SQ_PSN", "CUR_STATE QKEY"},
    {"RTR", "RTS", "RAW_PACKET", "", "RATE_LIMIT"},
    {"RTR", "RTS", "DRIVER", "", ""},
    {
      "RTS",
      "RTS",
      "RC XRC_RECV",
      "",
      "CUR_STATE ALT_PATH ACCESS_FLAGS PATH_MIG_STATE MIN_RNR_TIMER"
    },
    {"RTS", "RTS", "UC XRC_SEND", "", "CUR_STATE ALT_PATH ACCESS_FLAGS PATH_MIG_STATE"},
    {"RTS", "RTS", "UD SMI GSI", "", "CUR_STATE QKEY"},
    {"RTS", "RTS", "RAW_PACKET", "", "RATE_LIMIT"},
    {"RTS", "RTS", "DRIVER", "", ""},
    {"RTS", "SQD", "RC UC UD XRC_SEND XRC_RECV SMI GSI", "", "EN_SQD_ASYNC_NOTIFY"},
    {"RTS", "SQD", "RAW_PACKET DRIVER", "", ""},
    {
      "SQD",
      "RTS",
      "RC XRC_RECV",
      "",
      "CUR_STATE ALT_PATH ACCESS_FLAGS PATH_MIG_STATE MIN_RNR_TIMER"
    },
    {"SQD", "RTS", "UC XRC_SEND", "", "CUR_STATE ALT_PATH ACCESS_FLAGS PATH_MIG_STATE"},
    {"SQD", "RTS", "UD SMI GSI", "", "CUR_STATE QKEY"},
    {"SQD", "RTS", "RAW_PACKET DRIVER", "", ""},
    {
      "SQD",
      "SQD",
      "RC",
      "",
      "PORT AV TIMEOUT RETRY_CNT RNR_RETRY MAX_QP_RD_ATOMIC MAX_DEST_RD_ATOMIC ALT_PATH"
          + " ACCESS_FLAGS PKEY_INDEX MIN_RNR_TIMER PATH_MIG_STATE"
    },
    {
      "SQD",
      "SQD",
      "XRC_SEND",
      "",
      "PORT AV TIMEOUT RETRY_CNT RNR_RETRY MAX_QP_RD_ATOMIC ALT_PATH ACCESS_FLAGS PKEY_INDEX"
          + " PATH_MIG_STATE"
    },
    {
      "SQD",
      "SQD",
      "XRC_RECV",
      "",
      "PORT AV TIMEOUT MAX_DEST_RD_ATOMIC ALT_PATH ACCESS_FLAGS PKEY_INDEX MIN_RNR_TIMER"
          + " PATH_MIG_STATE"
    },
    {"SQD", "SQD", "UC", "", "AV ALT_PATH ACCESS_FLAGS PKEY_INDEX PATH_MIG_STATE"},
    {"SQD", "SQD", "UD SMI GSI", "", "PKEY_INDEX QKEY"},
    {"SQD", "SQD", "RAW_PACKET DRIVER", "", ""},
    {"SQE", "RTS", "RC XRC_SEND XRC_RECV RAW_PACKET DRIVER", "", ""},
    {"SQE", "RTS", "UC", "", "CUR_STATE ACCESS_FLAGS"},
    {"SQE", "RTS", "UD SMI GSI", "", "CUR_STATE QKEY"},
  };

  /** One row of a table. */
  public record LegalMove(
      QueuePairState from,
      QueuePairState to,
      Set<QueuePairAttribute> required,
      Set<QueuePairAttribute> optional) {}

  /** All legal moves of a type of queue pair. */
  public static List<LegalMove> legal(QueuePairType type) {
    List<LegalMove> legal = new ArrayList<>();
    for (QueuePairState from : EnumSet.range(RESET, ERR)) {
      legal.add(new LegalMove(from, RESET, Set.of(), Set.of()));
      if (from != RESET) {
        legal.add(new LegalMove(from, ERR, Set.of(), Set.of()));
      }
    }
    for (String[] row : ROWS) {
      if (List.of(row[2].split(" ")).contains(type.name())) {
        legal.add(
            new LegalMove(
                QueuePairState.valueOf(row[0]),
                QueuePairState.valueOf(row[1]),
                attributes(row[3]),
                attributes(row[4])));
      }
    }
    return legal;
  }

  private static Set<QueuePairAttribute> attributes(String names) {
    EnumSet<QueuePairAttribute> attributes = EnumSet.noneOf(QueuePairAttribute.class);
    new Scanner(names).forEachRemaining(name -> attributes.add(QueuePairAttribute.valueOf(name)));
    return attributes;
  }

  private static LegalMove find(QueuePairType type, QueuePairState from, QueuePairState to) {
    return legal(type).stream()
        .filter(move -> move.from() == from && move.to() == to)
        .findFirst()
        .orElse(null);
  }

  @ParameterizedTest
  @EnumSource
  void everyPairOfStatesIsAsInTheLinuxCore(QueuePairType type) {
    for (QueuePairState from : EnumSet.range(RESET, ERR)) {
      for (QueuePairState to : QueuePairState.values()) {
        LegalMove expected = find(type, from, to);
        TransitionTable.Move move = TransitionTable.of(type).move(from, to);
        if (expected == null) {
          assertThat(move).as("%s to %s", from, to).isNull();
        } else {
          assertThat(move).as("%s to %s", from, to).isNotNull();
          assertThat(move.required()).as("%s to %s", from, to).isEqualTo(expected.required());
          assertThat(move.optional()).as("%s to %s", from, to).isEqualTo(expected.optional());
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void reachableStatesAreThoseThatHaveAMove(QueuePairType type) {
    for (QueuePairState from : EnumSet.range(RESET, ERR)) {
      EnumSet<QueuePairState> expected = EnumSet.noneOf(QueuePairState.class);
      legal(type).stream()
          .filter(move -> move.from() == from)
          .forEach(move -> expected.add(move.to()));
      assertThat(TransitionTable.of(type).reachable(from)).isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @EnumSource
  void nothingLeadsIntoSqe(QueuePairType type) {
    for (QueuePairState from : EnumSet.range(RESET, ERR)) {
      assertThat(TransitionTable.of(type).move(from, SQE)).as("from %s", from).isNull();
    }
  }

  @Test
  @Checks("XRC-ATTRIBUTES")
  void eachEndOfAnExtendedConnectionLeavesOutWhatOnlyTheOtherHas() {
    assertThat(TransitionTable.leftOut(QueuePairType.RC)).isEmpty();
    assertThat(TransitionTable.leftOut(QueuePairType.UC)).isEmpty();
    assertThat(TransitionTable.leftOut(QueuePairType.UD)).isEmpty();
    assertThat(TransitionTable.leftOut(QueuePairType.XRC_SEND))
        .isEqualTo(attributes("MAX_DEST_RD_ATOMIC MIN_RNR_TIMER"));
    assertThat(TransitionTable.leftOut(QueuePairType.XRC_RECV))
        .isEqualTo(attributes("MAX_QP_RD_ATOMIC RETRY_CNT RNR_RETRY"));
  }

  @Test
  void aMoveNamesWhatIsMissingAndWhatIsTooMuch() {
    TransitionTable.Move move = TransitionTable.of(QueuePairType.RC).move(RESET, INIT);
    assertThat(move.missing(attributes("STATE PORT SQ_PSN")))
        .isEqualTo(attributes("PKEY_INDEX ACCESS_FLAGS"));
    assertThat(move.surplus(attributes("STATE PORT SQ_PSN CAP")))
        .isEqualTo(attributes("SQ_PSN CAP"));
  }
}
