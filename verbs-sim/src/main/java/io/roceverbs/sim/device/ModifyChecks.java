package io.roceverbs.sim.device;

import io.roceverbs.sim.memory.Registration;
import io.roceverbs.sim.qp.QueuePairEngine;
import io.roceverbs.sim.qp.TransitionTable;
import io.roceverbs.verbs.DeviceCapability;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.Gid;
import io.roceverbs.verbs.QueuePairAttribute;
import io.roceverbs.verbs.QueuePairAttributes;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.QueuePairTransitionException;
import io.roceverbs.verbs.QueuePairType;
import io.roceverbs.verbs.VerbsException;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Everything that can be wrong with a modify, in the order in which the Linux core and its drivers
 * look. Nothing is changed here, so a modify that is refused changes nothing (rule MODIFY-ATOMIC).
 */
final class ModifyChecks {
  private static final String CALL = "QueuePair.modify";
  private static final int PRIVILEGED_QUEUE_KEY = 0x8000_0000;
  private static final int RETRY_MAX = 7;
  private static final int TIMEOUT_CODE_MAX = 31;
  private static final int RNR_TIMER_CODE_MAX = 31;
  private static final int QUEUE_PAIR_NUMBER_MAX = 0xFF_FFFF;

  private ModifyChecks() {}

  /** Checks a modify and returns the state that it leads to. */
  static QueuePairState check(
      QueuePairEngine engine, QueuePairAttributes attributes, SimDevice device) {
    checkPort(attributes, device);
    QueuePairState from = engine.state();
    QueuePairState to = attributes.has(QueuePairAttribute.STATE) ? attributes.state() : from;
    checkQueueKey(attributes, device);
    checkAddress(attributes, device);
    checkPortOfAddress(engine, attributes, device);
    checkValues(attributes, device);
    checkTable(engine.type(), from, to, attributes);
    if (engine.isDraining() && to != QueuePairState.ERR && to != QueuePairState.RESET) {
      throw new VerbsException(
          Errno.EINVAL,
          CALL,
          "the send queue still drains; wait for SQ_DRAINED, or go to ERR or RESET");
    }
    return to;
  }

  private static void checkPort(QueuePairAttributes attributes, SimDevice device) {
    if (attributes.has(QueuePairAttribute.PORT) && !device.hasPort(attributes.port())) {
      throw invalid(
          "port "
              + attributes.port()
              + " does not exist; the device has "
              + device.describePorts());
    }
  }

  /**
   * Rule PORT-OF-ADDRESS: the address leads out of the queue pair's port. In SQD the queue pair
   * goes to the port of its new address, whether or not PORT says so as well.
   */
  private static void checkPortOfAddress(
      QueuePairEngine engine, QueuePairAttributes attributes, SimDevice device) {
    if (!attributes.has(QueuePairAttribute.AV)) {
      checkMove(engine, attributes.has(QueuePairAttribute.PORT) ? attributes.port() : 0, device);
      return;
    }
    int port = attributes.addressVector().port();
    if (attributes.has(QueuePairAttribute.PORT) && attributes.port() != port) {
      throw invalid(
          "port " + attributes.port() + " is not port " + port + " of the address vector");
    }
    if (engine.state() == QueuePairState.INIT && port != engine.port()) {
      throw invalid(
          "the address vector's port "
              + port
              + " is not port "
              + engine.port()
              + " of the queue pair");
    }
    checkMove(engine, port, device);
  }

  /** Rule PORT-MOVE: in SQD a queue pair goes to another port only where the device can do it. */
  private static void checkMove(QueuePairEngine engine, int port, SimDevice device) {
    if (engine.state() == QueuePairState.SQD
        && port != 0
        && port != engine.port()
        && !device.profile().has(DeviceCapability.CHANGE_PHY_PORT)) {
      throw invalid(
          "the queue pair can't go from port "
              + engine.port()
              + " to port "
              + port
              + ": the device does not have CHANGE_PHY_PORT");
    }
  }

  private static void checkQueueKey(QueuePairAttributes attributes, SimDevice device) {
    if (attributes.has(QueuePairAttribute.QKEY)
        && (attributes.queueKey() & PRIVILEGED_QUEUE_KEY) != 0
        && !device.identity().isPrivileged()) {
      // Rule QKEY-PRIVILEGED: the upper half of the keys is for privileged programs.
      throw new VerbsException(
          Errno.EPERM,
          CALL,
          String.format(
              Locale.ROOT,
              "Q_Key 0x%08x has bit 31 set, which takes a privileged program; see"
                  + " NodeConfiguration.withPrivilege",
              attributes.queueKey()));
    }
  }

  private static void checkAddress(QueuePairAttributes attributes, SimDevice device) {
    if (attributes.has(QueuePairAttribute.AV)) {
      AddressChecks.check(CALL, attributes.addressVector(), device);
    }
  }

  private static void checkValues(QueuePairAttributes attributes, SimDevice device) {
    if (attributes.has(QueuePairAttribute.ALT_PATH)) {
      throw invalid("RoCE has no alternate path");
    }
    if (attributes.has(QueuePairAttribute.ACCESS_FLAGS)
        && !Registration.isKnownAccess(attributes.access().value())) {
      throw invalid(attributes.access() + " has bits that no AccessFlag has; use named rights");
    }
    if (attributes.has(QueuePairAttribute.PATH_MTU)
        && attributes.pathMtu().bytes() > device.limits().maxMtu().bytes()) {
      throw invalid(
          "path MTU " + attributes.pathMtu() + " is above the port's " + device.limits().maxMtu());
    }
    int depthMax = device.limits().maxReadAtomic();
    if (attributes.has(QueuePairAttribute.MAX_QP_RD_ATOMIC)) {
      checkRange("maxReadAtomic", attributes.maxReadAtomic(), depthMax);
    }
    if (attributes.has(QueuePairAttribute.MAX_DEST_RD_ATOMIC)) {
      checkRange("maxDestinationReadAtomic", attributes.maxDestinationReadAtomic(), depthMax);
    }
    if (attributes.has(QueuePairAttribute.TIMEOUT)) {
      checkRange("timeout", attributes.timeout(), TIMEOUT_CODE_MAX);
    }
    if (attributes.has(QueuePairAttribute.RETRY_CNT)) {
      checkRange("retryCount", attributes.retryCount(), RETRY_MAX);
    }
    if (attributes.has(QueuePairAttribute.RNR_RETRY)) {
      checkRange("rnrRetry", attributes.rnrRetry(), RETRY_MAX);
    }
    if (attributes.has(QueuePairAttribute.MIN_RNR_TIMER)) {
      checkRange("minRnrTimer", attributes.minRnrTimer(), RNR_TIMER_CODE_MAX);
    }
    if (attributes.has(QueuePairAttribute.DEST_QPN)) {
      checkRange(
          "destinationQueuePairNumber",
          attributes.destinationQueuePairNumber(),
          QUEUE_PAIR_NUMBER_MAX);
    }
    if (attributes.has(QueuePairAttribute.PKEY_INDEX)) {
      checkRange("partitionKeyIndex", attributes.partitionKeyIndex(), 0);
    }
  }

  private static void checkRange(String name, int value, int max) {
    if (value < 0 || value > max) {
      throw invalid(name + " " + value + " is not in 0.." + max);
    }
  }

  private static void checkTable(
      QueuePairType type, QueuePairState from, QueuePairState to, QueuePairAttributes attributes) {
    TransitionTable.Move move = TransitionTable.of(type).move(from, to);
    if (move == null) {
      throw new QueuePairTransitionException(
          from,
          to,
          Set.of(),
          Set.of(),
          "there is no such move; from "
              + from
              + " one can go to "
              + TransitionTable.of(type).reachable(from));
    }
    Set<QueuePairAttribute> missing = move.missing(attributes.mask());
    Set<QueuePairAttribute> surplus = move.surplus(attributes.mask());
    if (!missing.isEmpty() || !surplus.isEmpty()) {
      throw new QueuePairTransitionException(
          from,
          to,
          missing,
          surplus,
          "this move needs " + move.required() + " and takes " + move.optional());
    }
    if (attributes.has(QueuePairAttribute.CUR_STATE) && attributes.currentState() != from) {
      throw invalid(
          "the current state was given as "
              + attributes.currentState()
              + " and is "
              + from
              + "; query it first");
    }
  }

  private static VerbsException invalid(String detail) {
    return new VerbsException(Errno.EINVAL, CALL, detail);
  }

  /** The GID that the address vector names as the source, or null where there is no vector. */
  static @Nullable Gid sourceGid(QueuePairAttributes attributes, SimDevice device) {
    return attributes.has(QueuePairAttribute.AV)
        ? device
            .port(attributes.addressVector().port())
            .gids()
            .requireSource(CALL, attributes.addressVector().sourceGidIndex())
        : null;
  }
}
