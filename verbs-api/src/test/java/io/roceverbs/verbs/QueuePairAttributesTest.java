package io.roceverbs.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import org.junit.jupiter.api.Test;

class QueuePairAttributesTest {
  private static final Gid PEER = new Gid(0, 0x0000_ffff_0a00_0002L);

  @Test
  void eachSetterAddsItsOwnBit() {
    QueuePairAttributes attributes =
        QueuePairAttributes.to(QueuePairState.RTR)
            .addressVector(AddressVector.to(PEER))
            .pathMtu(PathMtu.MTU_1024)
            .destinationQueuePairNumber(17)
            .receivePsn(0xabcdef)
            .maxDestinationReadAtomic(16)
            .minRnrTimer(12)
            .build();

    assertThat(attributes.mask())
        .containsExactly(
            QueuePairAttribute.STATE,
            QueuePairAttribute.AV,
            QueuePairAttribute.PATH_MTU,
            QueuePairAttribute.RQ_PSN,
            QueuePairAttribute.MIN_RNR_TIMER,
            QueuePairAttribute.MAX_DEST_RD_ATOMIC,
            QueuePairAttribute.DEST_QPN);
    assertThat(attributes.maskBits()).isEqualTo(0x129181);
    assertThat(attributes.pathMtu()).isEqualTo(PathMtu.MTU_1024);
    assertThat(attributes.receivePsn()).isEqualTo(0xabcdef);
    assertThat(attributes.destinationQueuePairNumber()).isEqualTo(17);
  }

  @Test
  void everySetterIsReadBackByItsGetter() {
    QueuePairAttributes all = allSet();

    assertThat(all.mask()).containsExactly(QueuePairAttribute.values());
    assertThat(all.maskBits()).isEqualTo(0x21fffff);
    assertThat(all.state()).isEqualTo(QueuePairState.RTS);
    assertThat(all.currentState()).isEqualTo(QueuePairState.SQD);
    assertThat(all.enableSqdNotification()).isTrue();
    assertThat(all.access()).isEqualTo(AccessFlags.of(AccessFlag.REMOTE_READ));
    assertThat(all.partitionKeyIndex()).isEqualTo(3);
    assertThat(all.port()).isEqualTo(4);
    assertThat(all.queueKey()).isEqualTo(0x80010000);
    assertThat(all.addressVector().hopLimit()).isEqualTo(5);
    assertThat(all.pathMtu()).isEqualTo(PathMtu.MTU_4096);
    assertThat(all.timeout()).isEqualTo(6);
    assertThat(all.retryCount()).isEqualTo(7);
    assertThat(all.rnrRetry()).isEqualTo(8);
    assertThat(all.receivePsn()).isEqualTo(9);
    assertThat(all.maxReadAtomic()).isEqualTo(10);
    assertThat(all.alternatePath().hopLimit()).isEqualTo(11);
    assertThat(all.minRnrTimer()).isEqualTo(12);
    assertThat(all.sendPsn()).isEqualTo(13);
    assertThat(all.maxDestinationReadAtomic()).isEqualTo(14);
    assertThat(all.pathMigrationState()).isEqualTo(PathMigrationState.ARMED);
    assertThat(all.capacities()).isEqualTo(new QueuePairCapacities(15, 16, 17, 18, 19));
    assertThat(all.destinationQueuePairNumber()).isEqualTo(20);
    assertThat(all.rateLimit()).isEqualTo(21);
    assertThat(all.sendQueueDraining()).isTrue();
  }

  private static QueuePairAttributes allSet() {
    return QueuePairAttributes.to(QueuePairState.RTS)
        .currentState(QueuePairState.SQD)
        .enableSqdNotification(true)
        .access(AccessFlag.REMOTE_READ)
        .partitionKeyIndex(3)
        .port(4)
        .queueKey(0x80010000)
        .addressVector(AddressVector.to(PEER).withHopLimit(5))
        .pathMtu(PathMtu.MTU_4096)
        .timeout(6)
        .retryCount(7)
        .rnrRetry(8)
        .receivePsn(9)
        .maxReadAtomic(10)
        .alternatePath(AddressVector.to(PEER).withHopLimit(11))
        .minRnrTimer(12)
        .sendPsn(13)
        .maxDestinationReadAtomic(14)
        .pathMigrationState(PathMigrationState.ARMED)
        .capacities(new QueuePairCapacities(15, 16, 17, 18, 19))
        .destinationQueuePairNumber(20)
        .rateLimit(21)
        .sendQueueDraining(true)
        .build();
  }

  @Test
  void readingAnAttributeOutsideTheMaskNamesIt() {
    QueuePairAttributes attributes = QueuePairAttributes.to(QueuePairState.INIT).port(1).build();

    assertThat(attributes.has(QueuePairAttribute.PORT)).isTrue();
    assertThat(attributes.has(QueuePairAttribute.TIMEOUT)).isFalse();
    assertThatThrownBy(attributes::timeout)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("TIMEOUT is not set; set are [STATE, PORT], ask has(...) first");
  }

  @Test
  void drainingHasNoBitInTheMask() {
    QueuePairAttributes attributes = QueuePairAttributes.builder().sendQueueDraining(true).build();

    assertThat(attributes.maskBits()).isZero();
    assertThat(attributes.sendQueueDraining()).isTrue();
    assertThat(QueuePairAttributes.builder().build().sendQueueDraining()).isFalse();
  }

  @Test
  void attributesStayAsTheyAreWhenTheBuilderGoesOn() {
    QueuePairAttributes.Builder builder = QueuePairAttributes.to(QueuePairState.RTS).timeout(14);
    QueuePairAttributes first = builder.build();

    QueuePairAttributes second = builder.timeout(20).retryCount(7).build();

    assertThat(first).hasToString("QueuePairAttributes{STATE=RTS, TIMEOUT=14}");
    assertThat(second).hasToString("QueuePairAttributes{STATE=RTS, TIMEOUT=20, RETRY_CNT=7}");
    assertThatThrownBy(() -> first.mask().clear())
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void aCopyWithoutSomeAttributesHasAllTheOthers() {
    QueuePairAttributes given =
        QueuePairAttributes.builder().sendPsn(1).timeout(2).retryCount(3).build();
    assertThat(given.without(Set.of(QueuePairAttribute.PORT))).isSameAs(given);
    assertThat(given.without(Set.of(QueuePairAttribute.TIMEOUT, QueuePairAttribute.PORT)))
        .isEqualTo(QueuePairAttributes.builder().sendPsn(1).retryCount(3).build());
    assertThat(given.has(QueuePairAttribute.TIMEOUT)).isTrue();
  }

  @Test
  void aRoundTripThroughTheBuilderIsEqual() {
    assertThat(allSet().toBuilder().build()).isEqualTo(allSet()).hasSameHashCodeAs(allSet());
    assertThat(allSet().toBuilder().sendPsn(99).build()).isNotEqualTo(allSet());
    assertThat(allSet().toBuilder().sendQueueDraining(false).build()).isNotEqualTo(allSet());
  }

  @Test
  void aNumberThatFitsTheFieldIsLeftToTheModify() {
    assertThat(QueuePairAttributes.builder().timeout(255).build().timeout()).isEqualTo(255);
    assertThat(QueuePairAttributes.builder().receivePsn(-1).build().receivePsn()).isEqualTo(-1);
  }

  @Test
  void aNumberThatDoesNotFitTheFieldIsRefused() {
    QueuePairAttributes.Builder builder = QueuePairAttributes.builder();

    assertThatThrownBy(() -> builder.retryCount(256))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("RETRY_CNT is 256, the field holds 0 to 255");
    assertThatThrownBy(() -> builder.timeout(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> builder.partitionKeyIndex(65536))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("PKEY_INDEX is 65536, the field holds 0 to 65535");
    assertThat(builder.build().maskBits()).isZero();
  }

  @Test
  void bitsAndSetsOfAttributesConvertBothWays() {
    assertThat(QueuePairAttribute.setOf(0x1e00201))
        .containsExactly(QueuePairAttribute.STATE, QueuePairAttribute.TIMEOUT);
    assertThat(QueuePairAttribute.maskOf(QueuePairAttribute.setOf(0x201))).isEqualTo(0x201);
  }
}
