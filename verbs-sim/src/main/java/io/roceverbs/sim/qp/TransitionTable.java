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
import static io.roceverbs.verbs.QueuePairAttribute.QKEY;
import static io.roceverbs.verbs.QueuePairAttribute.RATE_LIMIT;
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
import io.roceverbs.verbs.QueuePairType;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which state a queue pair may be moved to, and with which attributes (rule STATE-TABLE; the Linux
 * core's {@code qp_state_table}). Each transport service has a table of its own, also those that no
 * device here offers.
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

  private static final Map<QueuePairType, TransitionTable> TABLES = tables();

  private final Map<QueuePairState, Map<QueuePairState, Move>> moves =
      new EnumMap<>(QueuePairState.class);

  private TransitionTable(QueuePairType type) {
    for (QueuePairState from : EnumSet.range(RESET, ERR)) {
      moves.put(from, new EnumMap<>(QueuePairState.class));
      put(from, RESET, NONE, NONE);
      if (from != RESET) {
        put(from, ERR, NONE, NONE);
      }
    }
    put(RESET, INIT, initial(type), NONE);
    put(INIT, INIT, NONE, changeableInitially(type));
    put(INIT, RTR, neededToReceive(type), changeableBeforeReceiving(type));
    put(RTR, RTS, neededToSend(type), changeableAtWork(type));
    put(RTS, RTS, NONE, changeableAtWork(type));
    put(RTS, SQD, NONE, changeableAtDrain(type));
    put(SQD, RTS, NONE, changeableAfterDrain(type));
    put(SQD, SQD, NONE, changeableAtRest(type));
    put(SQE, RTS, NONE, changeableInSendQueueError(type));
  }

  private void put(
      QueuePairState from,
      QueuePairState to,
      Set<QueuePairAttribute> required,
      Set<QueuePairAttribute> optional) {
    row(from).put(to, new Move(required, optional));
  }

  private Map<QueuePairState, Move> row(QueuePairState from) {
    Map<QueuePairState, Move> row = moves.get(from);
    if (row == null) {
      throw new AssertionError("every state has a row, and " + from + " has none");
    }
    return row;
  }

  /** The table of a transport service. */
  public static TransitionTable of(QueuePairType type) {
    TransitionTable table = TABLES.get(type);
    if (table == null) {
      throw new AssertionError("every type has a table, and " + type + " has none");
    }
    return table;
  }

  /** The move between two states, or null if there is none. */
  public @Nullable Move move(QueuePairState from, QueuePairState to) {
    return row(from).get(to);
  }

  /** The states that can be reached from {@code from} in one move. */
  public Set<QueuePairState> reachable(QueuePairState from) {
    return Collections.unmodifiableSet(row(from).keySet());
  }

  private static Map<QueuePairType, TransitionTable> tables() {
    Map<QueuePairType, TransitionTable> tables = new EnumMap<>(QueuePairType.class);
    for (QueuePairType type : QueuePairType.values()) {
      tables.put(type, new TransitionTable(type));
    }
    return tables;
  }

  private static Set<QueuePairAttribute> initial(QueuePairType type) {
    return switch (type) {
      case UD -> Set.of(PKEY_INDEX, PORT, QKEY);
      case RC, UC, XRC_SEND, XRC_RECV -> Set.of(PKEY_INDEX, PORT, ACCESS_FLAGS);
      case SMI, GSI -> Set.of(PKEY_INDEX, QKEY);
      case RAW_PACKET -> Set.of(PORT);
      case DRIVER -> NONE;
    };
  }

  private static Set<QueuePairAttribute> changeableInitially(QueuePairType type) {
    return type == QueuePairType.RAW_PACKET ? NONE : initial(type);
  }

  private static Set<QueuePairAttribute> neededToReceive(QueuePairType type) {
    return switch (type) {
      case UD, SMI, GSI, RAW_PACKET, DRIVER -> NONE;
      case UC, XRC_SEND -> Set.of(AV, PATH_MTU, DEST_QPN, RQ_PSN);
      case RC, XRC_RECV ->
          Set.of(AV, PATH_MTU, DEST_QPN, RQ_PSN, MAX_DEST_RD_ATOMIC, MIN_RNR_TIMER);
    };
  }

  private static Set<QueuePairAttribute> changeableBeforeReceiving(QueuePairType type) {
    return switch (type) {
      case UD, SMI, GSI -> Set.of(PKEY_INDEX, QKEY);
      case RC, UC, XRC_SEND, XRC_RECV -> Set.of(ALT_PATH, ACCESS_FLAGS, PKEY_INDEX);
      case RAW_PACKET, DRIVER -> NONE;
    };
  }

  private static Set<QueuePairAttribute> neededToSend(QueuePairType type) {
    return switch (type) {
      case UD, UC, SMI, GSI -> Set.of(SQ_PSN);
      case RC, XRC_SEND -> Set.of(TIMEOUT, RETRY_CNT, RNR_RETRY, SQ_PSN, MAX_QP_RD_ATOMIC);
      case XRC_RECV -> Set.of(TIMEOUT, SQ_PSN);
      case RAW_PACKET, DRIVER -> NONE;
    };
  }

  private static Set<QueuePairAttribute> changeableAtWork(QueuePairType type) {
    return switch (type) {
      case UD, SMI, GSI -> Set.of(CUR_STATE, QKEY);
      case UC, XRC_SEND -> Set.of(CUR_STATE, ALT_PATH, ACCESS_FLAGS, PATH_MIG_STATE);
      case RC, XRC_RECV -> Set.of(CUR_STATE, ALT_PATH, ACCESS_FLAGS, PATH_MIG_STATE, MIN_RNR_TIMER);
      case RAW_PACKET -> Set.of(RATE_LIMIT);
      case DRIVER -> NONE;
    };
  }

  private static Set<QueuePairAttribute> changeableAtDrain(QueuePairType type) {
    return switch (type) {
      case RC, UC, UD, XRC_SEND, XRC_RECV, SMI, GSI -> Set.of(EN_SQD_ASYNC_NOTIFY);
      case RAW_PACKET, DRIVER -> NONE;
    };
  }

  private static Set<QueuePairAttribute> changeableAfterDrain(QueuePairType type) {
    return type == QueuePairType.RAW_PACKET ? NONE : changeableAtWork(type);
  }

  private static Set<QueuePairAttribute> changeableAtRest(QueuePairType type) {
    return switch (type) {
      case UD, SMI, GSI -> Set.of(PKEY_INDEX, QKEY);
      case UC -> Set.of(AV, ALT_PATH, ACCESS_FLAGS, PKEY_INDEX, PATH_MIG_STATE);
      case RC ->
          EnumSet.of(
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
      case XRC_SEND ->
          EnumSet.of(
              PORT,
              AV,
              TIMEOUT,
              RETRY_CNT,
              RNR_RETRY,
              MAX_QP_RD_ATOMIC,
              ALT_PATH,
              ACCESS_FLAGS,
              PKEY_INDEX,
              PATH_MIG_STATE);
      case XRC_RECV ->
          EnumSet.of(
              PORT,
              AV,
              TIMEOUT,
              MAX_DEST_RD_ATOMIC,
              ALT_PATH,
              ACCESS_FLAGS,
              PKEY_INDEX,
              MIN_RNR_TIMER,
              PATH_MIG_STATE);
      case RAW_PACKET, DRIVER -> NONE;
    };
  }

  private static Set<QueuePairAttribute> changeableInSendQueueError(QueuePairType type) {
    return switch (type) {
      case UD, SMI, GSI -> Set.of(CUR_STATE, QKEY);
      case UC -> Set.of(CUR_STATE, ACCESS_FLAGS);
      case RC, XRC_SEND, XRC_RECV, RAW_PACKET, DRIVER -> NONE;
    };
  }

  /**
   * Rule XRC-ATTRIBUTES: what only the other end of an extended connection has is left out before
   * anything is checked, so that both ends can be given the attributes of RC; the Linux core's
   * {@code modify_qp_mask}.
   */
  public static Set<QueuePairAttribute> leftOut(QueuePairType type) {
    return switch (type) {
      case RC, UC, UD, SMI, GSI, RAW_PACKET, DRIVER -> NONE;
      case XRC_SEND -> EnumSet.of(MAX_DEST_RD_ATOMIC, MIN_RNR_TIMER);
      case XRC_RECV -> EnumSet.of(MAX_QP_RD_ATOMIC, RETRY_CNT, RNR_RETRY);
    };
  }
}
