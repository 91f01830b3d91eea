package io.roceverbs.sim.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.roceverbs.sim.ConnectionSetup;
import io.roceverbs.sim.conformance.Checks;
import io.roceverbs.sim.conformance.Pair;
import io.roceverbs.sim.qp.TransitionTable;
import io.roceverbs.sim.qp.TransitionTableTest;
import io.roceverbs.sim.qp.TransitionTableTest.LegalMove;
import io.roceverbs.verbs.AccessFlag;
import io.roceverbs.verbs.AccessFlags;
import io.roceverbs.verbs.AddressHandle;
import io.roceverbs.verbs.AddressVector;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.PathMigrationState;
import io.roceverbs.verbs.PathMtu;
import io.roceverbs.verbs.QueuePair;
import io.roceverbs.verbs.QueuePairAttribute;
import io.roceverbs.verbs.QueuePairAttributes;
import io.roceverbs.verbs.QueuePairCapacities;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.QueuePairTransitionException;
import io.roceverbs.verbs.QueuePairType;
import io.roceverbs.verbs.SendRequest;
import io.roceverbs.verbs.VerbsException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A modify goes through if the table allows it, and else changes nothing and says why. */
class QueuePairStateTest {
  private Pair pair = Pair.unconnected(init -> init);
  private QueuePairType type = QueuePairType.RC;

  @AfterEach
  void closeFabric() {
    pair.close();
  }

  private QueuePair queuePair() {
    return pair.a.queuePair;
  }

  /** A fresh queue pair of node a, which its peer on b would understand, in a state. */
  private QueuePair queuePairIn(QueuePairState state) {
    pair.close();
    boolean isTarget = type == QueuePairType.XRC_RECV;
    pair = Pair.unconnected(init -> isTarget ? init : init.withType(type));
    QueuePair queuePair =
        isTarget ? pair.a.context.openXrcDomain().createTargetQueuePair() : pair.a.queuePair;
    if (state == QueuePairState.RESET) {
      return queuePair;
    }
    Pair.setup().initialize(queuePair);
    if (state == QueuePairState.INIT) {
      return queuePair;
    }
    if (state == QueuePairState.ERR) {
      queuePair.modify(QueuePairAttributes.to(state).build());
      return queuePair;
    }
    Pair.setup().readyToReceive(queuePair, pair.b.node.gid(), pair.b.queuePair.number());
    if (state == QueuePairState.RTR) {
      return queuePair;
    }
    Pair.setup().readyToSend(queuePair);
    if (state == QueuePairState.SQD) {
      queuePair.modify(QueuePairAttributes.to(state).build());
    }
    if (state == QueuePairState.SQE) {
      failASend();
    }
    assertThat(queuePair.state()).isEqualTo(state);
    return queuePair;
  }

  /** Posts a send out of memory that no key names, which takes UC and UD to SQE. */
  private void failASend() {
    SendRequest request = new SendRequest().reset(1).send().segment(0x1000, 8, 0xBAD);
    if (type == QueuePairType.UD) {
      AddressHandle handle = pair.a.domain.createAddressHandle(AddressVector.to(pair.b.node.gid()));
      request.to(handle, pair.b.queuePair.number(), ConnectionSetup.DEFAULT_QUEUE_KEY);
    }
    pair.a.queuePair.post(request);
    pair.run();
  }

  private QueuePairAttributes.Builder add(
      QueuePairAttributes.Builder builder, QueuePairAttribute attribute, QueuePairState from) {
    AddressVector vector = AddressVector.to(pair.b.node.gid());
    return switch (attribute) {
      case STATE -> builder;
      case CUR_STATE -> builder.currentState(from);
      case EN_SQD_ASYNC_NOTIFY -> builder.enableSqdNotification(true);
      case ACCESS_FLAGS -> builder.access(AccessFlag.REMOTE_READ);
      case PKEY_INDEX -> builder.partitionKeyIndex(0);
      case PORT -> builder.port(1);
      case QKEY -> builder.queueKey(0x1234);
      case AV -> builder.addressVector(vector.withTrafficClass(8));
      case PATH_MTU -> builder.pathMtu(PathMtu.MTU_512);
      case TIMEOUT -> builder.timeout(17);
      case RETRY_CNT -> builder.retryCount(5);
      case RNR_RETRY -> builder.rnrRetry(6);
      case RQ_PSN -> builder.receivePsn(0x123456);
      case MAX_QP_RD_ATOMIC -> builder.maxReadAtomic(9);
      case ALT_PATH -> builder.alternatePath(vector);
      case MIN_RNR_TIMER -> builder.minRnrTimer(21);
      case SQ_PSN -> builder.sendPsn(0x654321);
      case MAX_DEST_RD_ATOMIC -> builder.maxDestinationReadAtomic(11);
      case PATH_MIG_STATE -> builder.pathMigrationState(PathMigrationState.MIGRATED);
      case CAP -> builder.capacities(new QueuePairCapacities(1, 1, 1, 1, 1));
      case DEST_QPN -> builder.destinationQueuePairNumber(0xABCDEF);
      case RATE_LIMIT -> builder.rateLimit(1000);
    };
  }

  private QueuePairAttributes attributes(
      QueuePairState from, QueuePairState to, Set<QueuePairAttribute> given) {
    QueuePairAttributes.Builder builder = QueuePairAttributes.to(to);
    given.forEach(attribute -> add(builder, attribute, from));
    return builder.build();
  }

  private QueuePairTransitionException refusal(QueuePair queuePair, QueuePairAttributes given) {
    QueuePairAttributes before = queuePair.query();
    QueuePairTransitionException refused =
        catchThrowableOfType(QueuePairTransitionException.class, () -> queuePair.modify(given));
    assertThat(refused).as("modify of %s", given).isNotNull();
    assertThat(refused.errno()).isEqualTo(Errno.EINVAL);
    assertThat(refused.from()).isEqualTo(before.state());
    assertThat(queuePair.query()).isEqualTo(before);
    return refused;
  }

  /**
   * All attributes but STATE, which every move takes, ALT_PATH, which RoCE refuses for itself, and
   * those that the type leaves out.
   */
  private Set<QueuePairAttribute> allBits() {
    Set<QueuePairAttribute> bits =
        EnumSet.complementOf(EnumSet.of(QueuePairAttribute.STATE, QueuePairAttribute.ALT_PATH));
    bits.removeAll(TransitionTable.leftOut(type));
    return bits;
  }

  private boolean isReachable(QueuePairState state) {
    return state != QueuePairState.UNKNOWN
        && (state != QueuePairState.SQE || type == QueuePairType.UC || type == QueuePairType.UD);
  }

  private List<LegalMove> legal() {
    return TransitionTableTest.legal(type);
  }

  /** The types that a device makes. */
  static Set<QueuePairType> offered() {
    return EnumSet.of(
        QueuePairType.RC,
        QueuePairType.UC,
        QueuePairType.UD,
        QueuePairType.XRC_SEND,
        QueuePairType.XRC_RECV);
  }

  // ---- the table -----------------------------------------------------------------------------

  @ParameterizedTest
  @MethodSource("offered")
  @Checks({"STATE-TABLE", "MODIFY-ATOMIC", "S01", "S02", "S03", "Additional.every_transition"})
  void everyMoveThatIsNotInTheTableIsRefused(QueuePairType tested) {
    type = tested;
    for (QueuePairState from : EnumSet.range(QueuePairState.RESET, QueuePairState.ERR)) {
      if (!isReachable(from)) {
        continue;
      }
      QueuePair queuePair = queuePairIn(from);
      int refused = 0;
      for (QueuePairState to : QueuePairState.values()) {
        if (legal().stream().noneMatch(move -> move.from() == from && move.to() == to)) {
          QueuePairTransitionException exception =
              refusal(queuePair, QueuePairAttributes.to(to).build());
          assertThat(exception.to()).isEqualTo(to);
          assertThat(exception.missing()).isEmpty();
          assertThat(exception.surplus()).isEmpty();
          refused++;
        }
      }
      int rows = (int) legal().stream().filter(move -> move.from() == from).count();
      assertThat(refused).isEqualTo(8 - rows);
    }
  }

  @ParameterizedTest
  @MethodSource("offered")
  @Checks({"STATE-TABLE", "MODIFY-ATOMIC", "S02", "Additional.every_attribute"})
  void eachMissingAttributeIsNamedAloneAndAllMissingOnesTogether(QueuePairType tested) {
    type = tested;
    int checks = 0;
    for (LegalMove move : legal()) {
      if (!isReachable(move.from()) || move.required().isEmpty()) {
        continue;
      }
      QueuePair queuePair = queuePairIn(move.from());
      for (QueuePairAttribute missing : move.required()) {
        Set<QueuePairAttribute> given = EnumSet.copyOf(move.required());
        given.remove(missing);
        QueuePairTransitionException refused =
            refusal(queuePair, attributes(move.from(), move.to(), given));
        assertThat(refused.missing()).as("%s", move).containsExactly(missing);
        assertThat(refused.surplus()).isEmpty();
        checks++;
      }
      QueuePairTransitionException refused =
          refusal(queuePair, QueuePairAttributes.to(move.to()).build());
      assertThat(refused.missing()).isEqualTo(move.required());
    }
    int expected =
        switch (tested) {
          case RC -> 3 + 6 + 5;
          case UC -> 3 + 4 + 1;
          case XRC_SEND -> 3 + 4 + 5;
          case XRC_RECV -> 3 + 6 + 2;
          case UD -> 3 + 1;
          case SMI, GSI, RAW_PACKET, DRIVER -> throw new AssertionError(tested);
        };
    assertThat(checks).isEqualTo(expected);
  }

  @ParameterizedTest
  @MethodSource("offered")
  @Checks({"STATE-TABLE", "MODIFY-ATOMIC", "S02", "S03", "Additional.every_attribute"})
  void eachSurplusAttributeIsNamedAloneAndAllSurplusOnesTogether(QueuePairType tested) {
    type = tested;
    int checks = 0;
    for (LegalMove move : legal()) {
      if (!isReachable(move.from())) {
        continue;
      }
      QueuePair queuePair = queuePairIn(move.from());
      Set<QueuePairAttribute> surplusBits = allBits();
      surplusBits.removeAll(move.required());
      surplusBits.removeAll(move.optional());
      for (QueuePairAttribute surplus : surplusBits) {
        Set<QueuePairAttribute> given = EnumSet.of(surplus);
        given.addAll(move.required());
        QueuePairTransitionException refused =
            refusal(queuePair, attributes(move.from(), move.to(), given));
        assertThat(refused.surplus()).as("%s", move).containsExactly(surplus);
        assertThat(refused.missing()).isEmpty();
        checks++;
      }
      QueuePairTransitionException refused =
          refusal(queuePair, attributes(move.from(), move.to(), allBits()));
      assertThat(refused.surplus()).isEqualTo(surplusBits);
      assertThat(refused.missing()).isEmpty();
    }
    int expected =
        switch (tested) {
          case RC -> 19 * 20 - 43;
          case UC -> 22 * 20 - 29;
          case XRC_SEND -> 19 * 18 - 36;
          case XRC_RECV -> 19 * 17 - 37;
          case UD -> 22 * 20 - 20;
          case SMI, GSI, RAW_PACKET, DRIVER -> throw new AssertionError(tested);
        };
    assertThat(checks).isEqualTo(expected);
  }

  @ParameterizedTest
  @MethodSource("offered")
  @Checks({"STATE-TABLE", "Additional.every_transition"})
  void everyLegalMoveWorksWithTheLeastAndWithAllAttributes(QueuePairType tested) {
    type = tested;
    for (LegalMove move : legal()) {
      if (!isReachable(move.from())) {
        continue;
      }
      QueuePair least = queuePairIn(move.from());
      least.modify(attributes(move.from(), move.to(), move.required()));
      assertThat(least.state()).isEqualTo(move.to());
      assertThat(least.query().currentState()).isEqualTo(move.to());

      Set<QueuePairAttribute> all = EnumSet.noneOf(QueuePairAttribute.class);
      all.addAll(move.required());
      all.addAll(move.optional());
      all.remove(QueuePairAttribute.ALT_PATH);
      QueuePair most = queuePairIn(move.from());
      QueuePairAttributes given = attributes(move.from(), move.to(), all);
      most.modify(given);
      assertThat(most.state()).isEqualTo(move.to());
      assertTaken(most.query(), given);
    }
  }

  private static void assertTaken(QueuePairAttributes after, QueuePairAttributes given) {
    for (QueuePairAttribute attribute : given.mask()) {
      switch (attribute) {
        case ACCESS_FLAGS -> assertThat(after.access()).isEqualTo(given.access());
        case AV -> assertThat(after.addressVector()).isEqualTo(given.addressVector());
        case PATH_MTU -> assertThat(after.pathMtu()).isEqualTo(given.pathMtu());
        case TIMEOUT -> assertThat(after.timeout()).isEqualTo(17);
        case RETRY_CNT -> assertThat(after.retryCount()).isEqualTo(5);
        case RNR_RETRY -> assertThat(after.rnrRetry()).isEqualTo(6);
        case RQ_PSN -> assertThat(after.receivePsn()).isEqualTo(0x123456);
        case MAX_QP_RD_ATOMIC -> assertThat(after.maxReadAtomic()).isEqualTo(9);
        case MIN_RNR_TIMER -> assertThat(after.minRnrTimer()).isEqualTo(21);
        case SQ_PSN -> assertThat(after.sendPsn()).isEqualTo(0x654321);
        case MAX_DEST_RD_ATOMIC -> assertThat(after.maxDestinationReadAtomic()).isEqualTo(11);
        case DEST_QPN -> assertThat(after.destinationQueuePairNumber()).isEqualTo(0xABCDEF);
        case PKEY_INDEX -> assertThat(after.partitionKeyIndex()).isZero();
        case PORT -> assertThat(after.port()).isEqualTo(1);
        case STATE, CUR_STATE, EN_SQD_ASYNC_NOTIFY, PATH_MIG_STATE -> {
          // The states are checked elsewhere; the others are not reported with a value of their
          // own.
        }
        case QKEY -> assertThat(after.queueKey()).isEqualTo(0x1234);
        case ALT_PATH, CAP, RATE_LIMIT ->
            throw new AssertionError(attribute + " is in no row of the table");
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"XRC_SEND", "XRC_RECV"})
  @Checks("XRC-ATTRIBUTES")
  void bothEndsOfAnExtendedConnectionTakeWhatAReliableOneTakes(QueuePairType tested) {
    type = tested;
    QueuePair queuePair = queuePairIn(QueuePairState.INIT);
    // Values that would be out of range, if anybody looked at them.
    int minRnrTimer = tested == QueuePairType.XRC_SEND ? 99 : 21;
    queuePair.modify(toRtr().minRnrTimer(minRnrTimer).maxDestinationReadAtomic(3).build());
    queuePair.modify(toRts().build());
    QueuePairAttributes after = queuePair.query();
    assertThat(after.state()).isEqualTo(QueuePairState.RTS);
    boolean sends = tested == QueuePairType.XRC_SEND;
    assertThat(after.minRnrTimer()).isEqualTo(sends ? 0 : 21);
    assertThat(after.maxDestinationReadAtomic()).isEqualTo(sends ? 0 : 3);
    assertThat(after.retryCount()).isEqualTo(sends ? 3 : 0);
    assertThat(after.rnrRetry()).isEqualTo(sends ? 3 : 0);
    assertThat(after.maxReadAtomic()).isEqualTo(sends ? 4 : 0);
  }

  @Test
  void withoutAStateTheRowOfThePresentStateCounts() {
    QueuePair inInit = queuePairIn(QueuePairState.INIT);
    inInit.modify(QueuePairAttributes.builder().access(AccessFlag.REMOTE_READ).build());
    assertThat(inInit.query().access().contains(AccessFlag.REMOTE_READ)).isTrue();
    assertThat(refusal(inInit, QueuePairAttributes.builder().minRnrTimer(3).build()).surplus())
        .containsExactly(QueuePairAttribute.MIN_RNR_TIMER);

    QueuePair inRtr = queuePairIn(QueuePairState.RTR);
    QueuePairTransitionException refused =
        refusal(inRtr, QueuePairAttributes.builder().minRnrTimer(3).build());
    assertThat(refused.to()).isEqualTo(QueuePairState.RTR);

    QueuePair inRts = queuePairIn(QueuePairState.RTS);
    inRts.modify(QueuePairAttributes.builder().minRnrTimer(3).build());
    assertThat(inRts.query().minRnrTimer()).isEqualTo(3);
    assertThat(refusal(inRts, QueuePairAttributes.builder().timeout(3).build()).surplus())
        .containsExactly(QueuePairAttribute.TIMEOUT);
  }

  @ParameterizedTest
  @EnumSource(names = {"SQE", "ERR", "RTS"})
  @Checks("S01")
  void errToRtsIsRefusedWhateverTheCallerBelieves(QueuePairState believed) {
    QueuePair queuePair = queuePairIn(QueuePairState.ERR);
    QueuePairTransitionException refused =
        refusal(
            queuePair, QueuePairAttributes.to(QueuePairState.RTS).currentState(believed).build());
    assertThat(refused.to()).isEqualTo(QueuePairState.RTS);
  }

  // ---- values --------------------------------------------------------------------------------

  private void assertInvalid(QueuePairAttributes given, String word) {
    QueuePair queuePair = queuePair();
    QueuePairAttributes before = queuePair.query();
    assertThatThrownBy(() -> queuePair.modify(given))
        .isInstanceOfSatisfying(
            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL))
        .hasMessageContaining(word);
    assertThat(queuePair.query()).isEqualTo(before);
  }

  private QueuePairAttributes.Builder toInit() {
    return QueuePairAttributes.to(QueuePairState.INIT)
        .partitionKeyIndex(0)
        .port(1)
        .access(AccessFlag.REMOTE_READ);
  }

  private QueuePairAttributes.Builder toRtr() {
    return QueuePairAttributes.to(QueuePairState.RTR)
        .addressVector(AddressVector.to(pair.b.node.gid()))
        .pathMtu(PathMtu.MTU_1024)
        .destinationQueuePairNumber(pair.b.queuePair.number())
        .receivePsn(1)
        .maxDestinationReadAtomic(4)
        .minRnrTimer(12);
  }

  private static QueuePairAttributes.Builder toRts() {
    return QueuePairAttributes.to(QueuePairState.RTS)
        .timeout(14)
        .retryCount(3)
        .rnrRetry(3)
        .sendPsn(1)
        .maxReadAtomic(4);
  }

  @Test
  void valuesOfInitAreChecked() {
    assertInvalid(toInit().port(2).build(), "port 2");
    assertInvalid(toInit().port(0).build(), "port 0");
    assertInvalid(toInit().partitionKeyIndex(1).build(), "partitionKeyIndex 1");
    assertInvalid(
        toInit().access(AccessFlags.fromValue(0x402)).build(),
        "REMOTE_WRITE|0x400 has bits that no AccessFlag has");
    queuePair().modify(toInit().build());
    assertThat(queuePair().state()).isEqualTo(QueuePairState.INIT);
  }

  @Test
  void valuesOfReadyToReceiveAreChecked() {
    queuePairIn(QueuePairState.INIT);
    AddressVector vector = AddressVector.to(pair.b.node.gid());
    assertInvalid(toRtr().minRnrTimer(32).build(), "minRnrTimer 32");
    assertInvalid(toRtr().maxDestinationReadAtomic(129).build(), "maxDestinationReadAtomic 129");
    assertInvalid(toRtr().destinationQueuePairNumber(0x1000000).build(), "16777216");
    assertInvalid(toRtr().destinationQueuePairNumber(-1).build(), "-1");
    assertInvalid(toRtr().addressVector(vector.withPort(2)).build(), "port 2");
    assertInvalid(
        toRtr().addressVector(vector.withSourceGidIndex(2)).build(),
        "source GID index 2 has no address");
    assertInvalid(toRtr().addressVector(vector.withSourceGidIndex(1)).build(), "IP versions");
    assertInvalid(toRtr().alternatePath(vector).build(), "alternate path");
    assertInvalid(toRtr().partitionKeyIndex(1).build(), "partitionKeyIndex 1");
    queuePair()
        .modify(
            toRtr()
                .minRnrTimer(31)
                .maxDestinationReadAtomic(128)
                .destinationQueuePairNumber(0xFFFFFF)
                .build());
    assertThat(queuePair().query().maxDestinationReadAtomic()).isEqualTo(128);
  }

  @Test
  void valuesOfReadyToSendAreChecked() {
    queuePairIn(QueuePairState.RTR);
    assertInvalid(toRts().timeout(32).build(), "timeout 32");
    assertInvalid(toRts().retryCount(8).build(), "retryCount 8");
    assertInvalid(toRts().rnrRetry(8).build(), "rnrRetry 8");
    assertInvalid(toRts().maxReadAtomic(129).build(), "maxReadAtomic 129");
    assertInvalid(toRts().minRnrTimer(32).build(), "minRnrTimer 32");
    queuePair().modify(toRts().timeout(31).retryCount(7).rnrRetry(7).maxReadAtomic(128).build());
    assertThat(queuePair().query().timeout()).isEqualTo(31);
    assertThat(queuePair().query().maxReadAtomic()).isEqualTo(128);
  }

  @ParameterizedTest
  @EnumSource
  void everyPathMtuIsTakenUpToThePorts(PathMtu pathMtu) {
    queuePairIn(QueuePairState.INIT);
    queuePair().modify(toRtr().pathMtu(pathMtu).build());
    assertThat(queuePair().query().pathMtu()).isEqualTo(pathMtu);
  }

  @Test
  void theAlternatePathIsRefusedOnEveryRowAlsoWhereTheTableTakesIt() {
    AddressVector vector = AddressVector.to(pair.b.node.gid());
    for (QueuePairState state :
        EnumSet.of(QueuePairState.RTR, QueuePairState.RTS, QueuePairState.SQD)) {
      queuePairIn(state);
      assertInvalid(QueuePairAttributes.builder().alternatePath(vector).build(), "alternate path");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0x1000001, 0xFF000001, 0x80000001, 1})
  @Checks("S04")
  void startingPsnsAreMaskedToTwentyFourBits(int given) {
    queuePairIn(QueuePairState.INIT);
    queuePair().modify(toRtr().receivePsn(given).build());
    queuePair().modify(toRts().sendPsn(given).build());
    assertThat(queuePair().query().receivePsn()).isEqualTo(1);
    assertThat(queuePair().query().sendPsn()).isEqualTo(1);
  }

  @Test
  void aWrongBeliefAboutTheCurrentStateIsRefused() {
    queuePairIn(QueuePairState.RTS);
    for (QueuePairState believed : QueuePairState.values()) {
      if (believed != QueuePairState.RTS) {
        assertInvalid(
            QueuePairAttributes.to(QueuePairState.RTS).currentState(believed).build(), "is RTS");
      }
    }
    queuePair()
        .modify(
            QueuePairAttributes.to(QueuePairState.RTS)
                .currentState(QueuePairState.RTS)
                .minRnrTimer(1)
                .build());
    assertThat(queuePair().query().minRnrTimer()).isEqualTo(1);
  }

  @Test
  void resetForgetsAllAttributes() {
    QueuePair queuePair = queuePair();
    QueuePairAttributes fresh = queuePair.query();
    QueuePair used = queuePairIn(QueuePairState.RTS);
    used.modify(QueuePairAttributes.to(QueuePairState.RESET).build());
    assertThat(used.query()).isEqualTo(fresh);
    assertThat(used.query().has(QueuePairAttribute.AV)).isFalse();
  }
}
