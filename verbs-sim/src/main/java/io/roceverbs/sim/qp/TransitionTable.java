package io.roceverbs.sim.qp;

import static io.roceverbs.verbs.QueuePairAttribute.ACCESS_FLAGS;
import static io.roceverbs.verbs.QueuePairAttribute.ALT_PATH;
import static io.roceverbs.verbs.QueuePairAttribute.AV;
import static io.roceverbs.verbs.QueuePairAttribute.CUR_STATE;
import static io.roceverbs.verbs.QueuePairAttribute.DEST_QPN;
import static io.roceverbs.verbs.QueuePairAttribute.EN_SQD_ASYNC_NOTIFY;
import static io.roceverbs.verbs.QueuePairAttribute.MAX_DEST_RD_ATOMIC;
import static io.roceverbs.verbs.QueuePairAttribute.MAX_QP_RD_ATOMIC;
import static io.roceverbs.verbs.QueuePairAttribute.MIN_RNR_TIMER;
import static io.roceverbs.verbs.QueuePairAttribute.PATH_MIG_STATE;
import static io.roceverbs.verbs.QueuePairAttribute.PATH_MTU;
import static io.roceverbs.verbs.QueuePairAttribute.PKEY_INDEX;
import static io.roceverbs.verbs.QueuePairAttribute.PORT;
import static io.roceverbs.verbs.QueuePairAttribute.RETRY_CNT;
import static io.roceverbs.verbs.QueuePairAttribute.RNR_RETRY;
import static io.roceverbs.verbs.QueuePairAttribute.RQ_PSN;
import static io.roceverbs.verbs.QueuePairAttribute.SQ_PSN;
import static io.roceverbs.verbs.QueuePairAttribute.STATE;
import static io.roceverbs.verbs.QueuePairAttribute.TIMEOUT;
import static io.roceverbs.verbs.QueuePairState.ERR;
import static io.roceverbs.verbs.QueuePairState.INIT;
import static io.roceverbs.verbs.QueuePairState.RESET;
import static io.roceverbs.verbs.QueuePairState.RTR;
import static io.roceverbs.verbs.QueuePairState.RTS;
import static io.roceverbs.verbs.QueuePairState.SQD;
import static io.roceverbs.verbs.QueuePairState.SQE;

import io.roceverbs.verbs.QueuePairAttribute;
import io.roceverbs.verbs.QueuePairState;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which state an RC queue pair may be moved to, and with which attributes (rule STATE-TABLE; the
 * Linux core's {@code qp_state_table}).
 */
public final class TransitionTable {
  /**
   * The attributes of one legal move.
   *
   * @param required must be given
   * @param optional may be given; STATE always may
   */
  public record Move(Set<QueuePairAttribute> required, Set<QueuePairAttribute> optional) {
    /** Keeps both sets in the order of the attributes, so that texts are the same in each run. */
    public Move {
      required = sorted(required);
      optional = sorted(optional);
    }

    private static Set<QueuePairAttribute> sorted(Set<QueuePairAttribute> attributes) {
      EnumSet<QueuePairAttribute> sorted = EnumSet.noneOf(QueuePairAttribute.class);
      sorted.addAll(attributes);
      return Collections.unmodifiableSet(sorted);
    }

    /** The required attributes that are not among {@code given}. */
    public Set<QueuePairAttribute> missing(Set<QueuePairAttribute> given) {
      EnumSet<QueuePairAttribute> missing = EnumSet.noneOf(QueuePairAttribute.class);
      missing.addAll(required);
      missing.removeAll(given);
      return missing;
    }

    /** The attributes of {@code given} that this move does not take. */
    public Set<QueuePairAttribute> surplus(Set<QueuePairAttribute> given) {
      EnumSet<QueuePairAttribute> surplus = EnumSet.noneOf(QueuePairAttribute.class);
      surplus.addAll(given);
      surplus.removeAll(required);
      surplus.removeAll(optional);
      surplus.remove(STATE);
      return surplus;
    }
  }

  private static final Set<QueuePairAttribute> NONE = Set.of();

  /** What may be changed while the queue pair works. */
  private static final Set<QueuePairAttribute> AT_WORK =
      Set.of(CUR_STATE, ALT_PATH, ACCESS_FLAGS, PATH_MIG_STATE, MIN_RNR_TIMER);

  private static final Map<QueuePairState, Map<QueuePairState, Move>> MOVES = moves();

  private TransitionTable() {}

  /** The move between two states, or null if there is none. */
  public static @Nullable Move move(QueuePairState from, QueuePairState to) {
    Map<QueuePairState, Move> row = MOVES.get(from);
    return row == null ? null : row.get(to);
  }

  /** The states that can be reached from {@code from} in one move. */
  public static Set<QueuePairState> reachable(QueuePairState from) {
    Map<QueuePairState, Move> row = MOVES.get(from);
    return row == null ? Set.of() : Collections.unmodifiableSet(row.keySet());
  }

  private static Map<QueuePairState, Map<QueuePairState, Move>> moves() {
    Map<QueuePairState, Map<QueuePairState, Move>> moves = new EnumMap<>(QueuePairState.class);
    for (QueuePairState from : EnumSet.range(RESET, ERR)) {
      Map<QueuePairState, Move> row = new EnumMap<>(QueuePairState.class);
      row.put(RESET, new Move(NONE, NONE));
      if (from != RESET) {
        row.put(ERR, new Move(NONE, NONE));
      }
      moves.put(from, row);
    }
    Set<QueuePairAttribute> initial = Set.of(PKEY_INDEX, PORT, ACCESS_FLAGS);
    put(moves, RESET, INIT, new Move(initial, NONE));
    put(moves, INIT, INIT, new Move(NONE, initial));
    put(
        moves,
        INIT,
        RTR,
        new Move(
            Set.of(AV, PATH_MTU, DEST_QPN, RQ_PSN, MAX_DEST_RD_ATOMIC, MIN_RNR_TIMER),
            Set.of(ALT_PATH, ACCESS_FLAGS, PKEY_INDEX)));
    put(
        moves,
        RTR,
        RTS,
        new Move(Set.of(TIMEOUT, RETRY_CNT, RNR_RETRY, SQ_PSN, MAX_QP_RD_ATOMIC), AT_WORK));
    put(moves, RTS, RTS, new Move(NONE, AT_WORK));
    put(moves, RTS, SQD, new Move(NONE, Set.of(EN_SQD_ASYNC_NOTIFY)));
    put(moves, SQD, RTS, new Move(NONE, AT_WORK));
    put(moves, SQD, SQD, new Move(NONE, atRest()));
    put(moves, SQE, RTS, new Move(NONE, NONE));
    return moves;
  }

  private static Set<QueuePairAttribute> atRest() {
    return EnumSet.of(
        PORT,
        AV,
        TIMEOUT,
        RETRY_CNT,
        RNR_RETRY,
        MAX_QP_RD_ATOMIC,
        MAX_DEST_RD_ATOMIC,
        ALT_PATH,
        ACCESS_FLAGS,
        PKEY_INDEX,
        MIN_RNR_TIMER,
        PATH_MIG_STATE);
  }

  private static void put(
      Map<QueuePairState, Map<QueuePairState, Move>> moves,
      QueuePairState from,
      QueuePairState to,
      Move move) {
    Map<QueuePairState, Move> row = moves.get(from);
    if (row == null) {
      throw new AssertionError("every state has a row");
    }
    row.put(to, move);
  }
}
