package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.roceverbs.sim.ConnectionSetup;
import io.roceverbs.sim.Fabric;
import io.roceverbs.sim.Node;
import io.roceverbs.verbs.CompletionQueue;
import io.roceverbs.verbs.DeviceContext;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.ProtectionDomain;
import io.roceverbs.verbs.QueuePair;
import io.roceverbs.verbs.QueuePairAttributes;
import io.roceverbs.verbs.QueuePairCapacities;
import io.roceverbs.verbs.QueuePairInit;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.QueuePairType;
import io.roceverbs.verbs.SendOpcode;
import io.roceverbs.verbs.VerbsException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Creation, query and modify of queue pairs of each type. */
class QueuePairRowsTest {
  private static final QueuePairCapacities CAPACITIES = new QueuePairCapacities(100, 50, 3, 2, 64);

  private final Fabric fabric = Fabric.create();
  private final Node node = fabric.addNode("a");
  private final DeviceContext context = node.device().open();
  private final ProtectionDomain domain = context.allocateProtectionDomain();
  private final CompletionQueue completions = context.createCompletionQueue(100);
  private final ConnectionSetup setup = Pair.setup();

  @AfterEach
  void closeFabric() {
    fabric.close();
  }

  private QueuePair create(QueuePairType type) {
    return domain.createQueuePair(init(type).withCapacities(CAPACITIES));
  }

  private QueuePairInit init(QueuePairType type) {
    return QueuePairInit.reliableConnected(completions, 1, 1).withType(type);
  }

  private static void modify(QueuePair queuePair, QueuePairState state) {
    queuePair.modify(QueuePairAttributes.to(state).build());
  }

  @ParameterizedTest
  @CsvSource({
    "RAW_PACKET, EOPNOTSUPP, the device has no type RAW_PACKET",
    "DRIVER, EOPNOTSUPP, the device has no type DRIVER",
    "SMI, EINVAL, a queue pair of type SMI belongs to the system",
    "GSI, EINVAL, a queue pair of type GSI belongs to the system"
  })
  void typesThatTheDeviceDoesNotOfferAreRefused(QueuePairType type, Errno errno, String words) {
    VerbsException refused = catchThrowableOfType(VerbsException.class, () -> create(type));
    assertThat(refused.errno()).isEqualTo(errno);
    assertThat(refused).hasMessageContaining(words);
    completions.close();
    domain.close();
    assertThat(domain.isOpen()).isFalse();
  }

  @ParameterizedTest
  @EnumSource(names = {"RC", "UC", "UD"})
  @Checks({
    "QPTest.test_create_rc_qp_no_attr",
    "QPTest.test_create_uc_qp_no_attr",
    "QPTest.test_create_ud_qp_no_attr",
    "QPTest.test_create_rc_qp_ex_no_attr",
    "QPTest.test_create_uc_qp_ex_no_attr",
    "QPTest.test_create_ud_qp_ex_no_attr",
    "QPTest.test_query_rc_qp",
    "QPTest.test_query_uc_qp",
    "QPTest.test_query_ud_qp"
  })
  void aNewQueuePairIsInResetAndHasWhatWasAskedFor(QueuePairType type) {
    QueuePair queuePair = create(type);
    assertThat(queuePair.type()).isEqualTo(type);
    assertThat(queuePair.state()).isEqualTo(QueuePairState.RESET);
    assertThat(queuePair.query().state()).isEqualTo(QueuePairState.RESET);
    assertThat(queuePair.query().currentState()).isEqualTo(QueuePairState.RESET);
    assertThat(queuePair.init().capacities()).isEqualTo(CAPACITIES);
    assertThat(queuePair.init().sendCompletionQueue()).isSameAs(completions);
    assertThat(queuePair.init().receiveCompletionQueue()).isSameAs(completions);
  }

  @ParameterizedTest
  @EnumSource(names = {"RC", "UC"})
  @Checks({
    "QPTest.test_create_rc_qp_with_attr",
    "QPTest.test_create_uc_qp_with_attr",
    "QPTest.test_create_rc_qp_ex_with_attr",
    "QPTest.test_create_uc_qp_ex_with_attr"
  })
  void aConnectedQueuePairWalksToInitAndShowsPortPartitionKeyAndAccess(QueuePairType type) {
    QueuePair queuePair = create(type);
    setup.initialize(queuePair);
    QueuePairAttributes attributes = queuePair.query();
    assertThat(attributes.state()).isEqualTo(QueuePairState.INIT);
    assertThat(attributes.port()).isEqualTo(1);
    assertThat(attributes.partitionKeyIndex()).isZero();
    assertThat(attributes.access()).isEqualTo(setup.access());
  }

  @Test
  @Checks({"QPTest.test_create_ud_qp_with_attr", "QPTest.test_create_ud_qp_ex_with_attr"})
  void aDatagramQueuePairWalksFromResetToRts() {
    QueuePair queuePair = create(QueuePairType.UD);
    setup.initialize(queuePair);
    assertThat(queuePair.state()).isEqualTo(QueuePairState.INIT);
    modify(queuePair, QueuePairState.RTR);
    assertThat(queuePair.state()).isEqualTo(QueuePairState.RTR);
    setup.readyToSend(queuePair);
    assertThat(queuePair.state()).isEqualTo(QueuePairState.RTS);
  }

  @ParameterizedTest
  @CsvSource({
    "2147483647, 1, 1, 1, maxSendRequests",
    "1, 2147483647, 1, 1, maxReceiveRequests",
    "1, 1, 65535, 1, maxSendSegments",
    "1, 1, 1, 65535, maxReceiveSegments"
  })
  @Checks({
    "QPTest.test_create_raw_qp_ex_with_illegal_caps_max_send_wr",
    "QPTest.test_create_raw_qp_ex_with_illegal_caps_max_recv_wr",
    "QPTest.test_create_raw_qp_ex_with_illegal_caps_max_send_sge",
    "QPTest.test_create_raw_qp_ex_with_illegal_caps_max_recv_sge"
  })
  void capacitiesThatNoDeviceHasAreRefusedByName(
      int sends, int receives, int sendSegments, int receiveSegments, String name) {
    VerbsException refused =
        catchThrowableOfType(
            VerbsException.class,
            () ->
                domain.createQueuePair(
                    init(QueuePairType.UD)
                        .withCapacities(
                            new QueuePairCapacities(
                                sends, receives, sendSegments, receiveSegments, 0))));
    assertThat(refused).isNotNull().hasMessageContaining(name);
    assertThat(refused.errno()).isEqualTo(Errno.EINVAL);
    domain.close();
  }

  @Test
  @Checks("QPTest.test_query_data_in_order")
  void noOrderOfTheBytesOfAMessageIsPromised() {
    QueuePair queuePair = create(QueuePairType.UD);
    setup.initialize(queuePair);
    modify(queuePair, QueuePairState.RTR);
    setup.readyToSend(queuePair);
    for (SendOpcode opcode : SendOpcode.values()) {
      assertThat(queuePair.queryDataInOrder(opcode)).isEmpty();
    }
    queuePair.close();
    VerbsException refused =
        catchThrowableOfType(
            VerbsException.class, () -> queuePair.queryDataInOrder(SendOpcode.SEND));
    assertThat(refused.errno()).isEqualTo(Errno.EINVAL);
  }

  @Test
  @Checks("QPTest.test_modify_ud_qp")
  void aDatagramQueuePairShowsWhatWasSetAndGoesToResetFromEveryState() {
    QueuePair queuePair = create(QueuePairType.UD);
    setup.withQueueKey(0x7654321).initialize(queuePair);
    assertThat(queuePair.query().queueKey()).isEqualTo(0x7654321);
    modify(queuePair, QueuePairState.RESET);
    assertThat(queuePair.query().state()).isEqualTo(QueuePairState.RESET);

    setup.initialize(queuePair);
    modify(queuePair, QueuePairState.RTR);
    modify(queuePair, QueuePairState.RESET);
    assertThat(queuePair.query().state()).isEqualTo(QueuePairState.RESET);

    setup.initialize(queuePair);
    modify(queuePair, QueuePairState.RTR);
    setup.withFirstPsn(0x45678).readyToSend(queuePair);
    assertThat(queuePair.query().sendPsn()).isEqualTo(0x45678);
    modify(queuePair, QueuePairState.RESET);
    assertThat(queuePair.query().state()).isEqualTo(QueuePairState.RESET);
  }

  @Test
  @Checks("RCQPTest.test_modify_rc_qp_rd_atomic")
  void theReadDepthsReadBackAsTheyWereAskedFor() {
    QueuePair first = create(QueuePairType.RC);
    QueuePair second = create(QueuePairType.RC);
    setup.withReadDepth(12).connect(first, second);
    assertThat(first.query().maxReadAtomic()).isEqualTo(12);
    assertThat(first.query().maxDestinationReadAtomic()).isEqualTo(12);
  }

  @Test
  @Checks("C30")
  void resetToResetIsLegalAndSpoilsNothing() {
    QueuePair first = create(QueuePairType.RC);
    QueuePair second = create(QueuePairType.RC);
    modify(first, QueuePairState.RESET);
    setup.connect(first, second);
    assertThat(first.state()).isEqualTo(QueuePairState.RTS);
    modify(first, QueuePairState.ERR);
    modify(first, QueuePairState.RESET);
    setup.initialize(first);
    assertThat(first.state()).isEqualTo(QueuePairState.INIT);
  }
}
