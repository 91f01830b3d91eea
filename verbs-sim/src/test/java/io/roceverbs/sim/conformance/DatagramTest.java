package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.roceverbs.sim.ConnectionSetup;
import io.roceverbs.sim.Fabric;
import io.roceverbs.sim.LinkConfiguration;
import io.roceverbs.sim.NodeConfiguration;
import io.roceverbs.sim.profile.DeviceProfile;
import io.roceverbs.sim.profile.PostingSwitch;
import io.roceverbs.verbs.AccessFlag;
import io.roceverbs.verbs.AddressHandle;
import io.roceverbs.verbs.AddressVector;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.MemoryRegion;
import io.roceverbs.verbs.PostException;
import io.roceverbs.verbs.ProtectionDomain;
import io.roceverbs.verbs.QueuePairAttributes;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.QueuePairType;
import io.roceverbs.verbs.ReceiveRequest;
import io.roceverbs.verbs.SendRequest;
import io.roceverbs.verbs.VerbsException;
import io.roceverbs.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** UD: one packet a message, to anybody, with the network header in front. */
class DatagramTest {
  private static final int QUEUE_KEY = ConnectionSetup.DEFAULT_QUEUE_KEY;

  private static Pair pair(Fabric fabric) {
    Pair pair = Pair.unconnected(fabric, init -> init.withType(QueuePairType.UD));
    pair.connect(Pair.setup(), Pair.setup());
    return pair;
  }

  private static Pair pair(DeviceProfile profile) {
    return pair(Fabric.builder().profile(profile).build());
  }

  private static Pair pair() {
    return pair(DeviceProfile.strict());
  }

  private static AddressHandle toB(Pair pair) {
    return pair.a.domain.createAddressHandle(AddressVector.to(pair.b.node.gid()));
  }

  private static void send(Pair pair, long id, AddressHandle handle, int bytes, int queueKey) {
    Side a = pair.a;
    a.queuePair.post(
        a.request
            .reset(id)
            .send()
            .segment(a.memory(Math.max(bytes, 1), 0x5A).region(), 0, bytes)
            .to(handle, pair.b.queuePair.number(), queueKey)
            .signaled());
  }

  @Test
  @Checks({"C61", "DATAGRAM-HEADER", "ONE-WAY-COMPLETE", "S45"})
  void overIpv4TheHeaderStandsBehindTwentyBytesThatMeanNothing() {
    try (Pair pair = pair()) {
      Side.Memory target = pair.b.memory(140, 0xFF);
      pair.b.postReceive(11, target);
      send(pair, 1, toB(pair), 100, QUEUE_KEY);
      pair.run();

      assertThat(pair.completions("a")).containsExactly("SEND 1 SUCCESS @0");
      WorkCompletion received = pair.b.pollReceives().get(0);
      assertThat(received.byteLength()).isEqualTo(140);
      assertThat(received.withGlobalRouteHeader()).isTrue();
      assertThat(received.sourceQueuePairNumber()).isEqualTo(pair.a.queuePair.number());
      assertThat(received.sourceLocalIdentifier()).isZero();
      assertThat(received.serviceLevel()).isZero();
      assertThat(received.localIdentifierPathBits()).isZero();
      assertThatThrownBy(received::partitionKeyIndex)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage(
              "partitionKeyIndex is undefined, because request 11 is no receive of the general"
                  + " services queue pair");
      assertThat(target.slice(0, 20)).doesNotContain(0).isNotEqualTo(target.slice(20, 40));
      ByteBuffer header = ByteBuffer.wrap(target.slice(20, 40));
      assertThat(header.get(0)).isEqualTo((byte) 0x45);
      assertThat(header.getShort(2)).isEqualTo((short) (20 + 8 + 12 + 8 + 100 + 4));
      assertThat(header.get(8)).isEqualTo((byte) 64);
      assertThat(header.get(9)).isEqualTo((byte) 17);
      assertThat(header.getInt(12)).isEqualTo(0x0A000001);
      assertThat(header.getInt(16)).isEqualTo(0x0A000002);
      assertThat(onesComplementSum(header)).isEqualTo(0xFFFF);
      assertThat(target.slice(40, 140)).containsOnly(0x5A);
      assertThat(pair.journal.all().get(0).summary())
          .startsWith("UD_SEND_ONLY psn=0x000100")
          .doesNotContain("ackreq");
      assertThat(pair.journal.from("b")).isEmpty();
    }
  }

  private static int onesComplementSum(ByteBuffer header) {
    int sum = 0;
    for (int i = 0; i < header.capacity(); i += 2) {
      sum += header.getShort(i) & 0xFFFF;
    }
    return (sum & 0xFFFF) + (sum >>> 16);
  }

  @Test
  @Checks({"C61", "DATAGRAM-HEADER"})
  void overIpv6TheHeaderTakesAllFortyBytes() {
    try (Pair pair = pair()) {
      Side.Memory target = pair.b.memory(140, 0xFF);
      pair.b.postReceive(11, target);
      AddressHandle handle =
          pair.a.domain.createAddressHandle(
              AddressVector.to(pair.b.node.ipv6Gid()).withSourceGidIndex(1).withTrafficClass(8));
      send(pair, 1, handle, 100, QUEUE_KEY);
      pair.run();

      assertThat(pair.b.pollReceives().get(0).byteLength()).isEqualTo(140);
      ByteBuffer header = ByteBuffer.wrap(target.slice(0, 40));
      assertThat(header.getInt(0)).isEqualTo(0x60800000);
      assertThat(header.getShort(4)).isEqualTo((short) (8 + 12 + 8 + 100 + 4));
      assertThat(header.get(6)).isEqualTo((byte) 17);
      assertThat(header.getLong(16)).isEqualTo(1);
      assertThat(header.getLong(32)).isEqualTo(2);
      assertThat(target.slice(40, 140)).containsOnly(0x5A);
    }
  }

  @Test
  void theBytesThatMeanNothingFollowFromTheSeedAndAreZeroOnSoftRoce() {
    byte[] first = gap(DeviceProfile.strict(), 1);
    assertThat(gap(DeviceProfile.strict(), 1)).isEqualTo(first);
    assertThat(gap(DeviceProfile.strict(), 2)).isNotEqualTo(first);
    assertThat(gap(DeviceProfile.softRoce(), 1)).containsOnly(0);
  }

  private static byte[] gap(DeviceProfile profile, long seed) {
    try (Pair pair = pair(Fabric.builder().profile(profile).seed(seed).build())) {
      Side.Memory target = pair.b.memory(41, 0xFF);
      pair.b.postReceive(11, target);
      send(pair, 1, toB(pair), 1, QUEUE_KEY);
      pair.run();
      return target.slice(0, 20);
    }
  }

  @Test
  void anEmptyDatagramBringsFortyBytesAndAnImmediateIsKept() {
    try (Pair pair = pair()) {
      pair.b.postReceive(11, pair.b.memory(40, 0));
      Side a = pair.a;
      a.queuePair.post(
          a.request
              .reset(1)
              .sendWithImmediate(0x01020304)
              .to(toB(pair), pair.b.queuePair.number(), QUEUE_KEY)
              .signaled());
      pair.run();

      WorkCompletion received = pair.b.pollReceives().get(0);
      assertThat(received.byteLength()).isEqualTo(40);
      assertThat(received.immediate()).isEqualTo(0x01020304);
      assertThat(received.sourceQueuePairNumber()).isEqualTo(a.queuePair.number());
    }
  }

  @Test
  @Checks({"C63", "DATAGRAM-OVER-MTU", "S46"})
  void aDatagramLongerThanThePortsMtuSucceedsAndIsNotSent() {
    Fabric fabric = Fabric.builder().link(LinkConfiguration.DEFAULT.withMtu(1_500)).build();
    try (Pair pair = pair(fabric)) {
      pair.b.postReceive(11, pair.b.memory(2000, 0));
      pair.b.postReceive(12, pair.b.memory(2000, 0));
      send(pair, 1, toB(pair), 1025, QUEUE_KEY);
      send(pair, 2, toB(pair), 1024, QUEUE_KEY);
      pair.run();

      assertThat(pair.completions("a")).containsExactly("SEND 1 SUCCESS @0", "SEND 2 SUCCESS @0");
      assertThat(pair.journal.psns("a")).containsExactly(0x100);
      assertThat(pair.b.pollReceives()).hasSize(1);
      assertThat(pair.a.node.transport().datagramsOverMtu()).isEqualTo(1);
      assertThat(pair.a.state()).isEqualTo(QueuePairState.RTS);
    }
  }

  @ParameterizedTest
  @CsvSource({"connectX,SQE", "irdma,ERR"})
  @Checks("C63")
  void someDevicesFailADatagramThatIsTooLong(String name, QueuePairState state) {
    DeviceProfile profile =
        name.equals("connectX") ? DeviceProfile.connectX() : DeviceProfile.irdma();
    Fabric fabric =
        Fabric.builder().profile(profile).link(LinkConfiguration.DEFAULT.withMtu(1_500)).build();
    try (Pair pair = pair(fabric)) {
      send(pair, 1, toB(pair), 1025, QUEUE_KEY);

      assertThat(pair.completions("a")).containsExactly("SEND 1 LOC_LEN_ERR @0");
      assertThat(pair.a.state()).isEqualTo(state);
    }
  }

  @Test
  @Checks({"DATAGRAM-TOO-LONG", "S45"})
  void aDatagramThatDoesNotFitIsDroppedAndTheReceiveStays() {
    try (Pair pair = pair()) {
      pair.b.postReceive(11, pair.b.memory(139, 0));
      send(pair, 1, toB(pair), 100, QUEUE_KEY);
      send(pair, 2, toB(pair), 99, QUEUE_KEY);
      pair.run();

      assertThat(pair.completions("b")).containsExactly("RECV 11 SUCCESS @10000");
      assertThat(pair.b.pollReceives().get(0).byteLength()).isEqualTo(139);
      assertThat(pair.b.node.transport().droppedTooLong()).isEqualTo(1);
    }
  }

  @Test
  void onConnectXAReceiveThatIsTooShortFails() {
    try (Pair pair = pair(DeviceProfile.connectX())) {
      pair.b.postReceive(11, pair.b.memory(139, 0));
      send(pair, 1, toB(pair), 100, QUEUE_KEY);
      pair.run();

      assertThat(pair.completions("b")).containsExactly("RECV 11 LOC_LEN_ERR @10000");
      assertThat(pair.b.state()).isEqualTo(QueuePairState.RTS);
    }
  }

  @Test
  @Checks({"QKEY-CHECK", "S45"})
  void aDatagramUnderAnotherKeyIsDroppedAndCounted() {
    try (Pair pair = pair()) {
      pair.b.postReceive(11, pair.b.memory(140, 0));
      send(pair, 1, toB(pair), 100, QUEUE_KEY + 1);
      pair.run();

      assertThat(pair.completions("a")).containsExactly("SEND 1 SUCCESS @0");
      assertThat(pair.completions("b")).isEmpty();
      assertThat(pair.b.node.transport().droppedQueueKey()).isEqualTo(1);
    }
  }

  @Test
  void aDatagramWithoutAReceiveIsDroppedAndCounted() {
    try (Pair pair = pair()) {
      send(pair, 1, toB(pair), 100, QUEUE_KEY);
      pair.run();
      assertThat(pair.completions("a")).containsExactly("SEND 1 SUCCESS @0");
      assertThat(pair.b.node.transport().droppedWithoutReceive()).isEqualTo(1);
    }
  }

  @Test
  @Checks("QKEY-HIGH-BIT")
  void aKeyWithBit31StandsForTheOwnKeyOfTheSender() {
    try (Pair pair = pair()) {
      pair.b.postReceive(11, pair.b.memory(140, 0));
      send(pair, 1, toB(pair), 100, 0x80000000);
      pair.run();
      assertThat(pair.completions("b")).containsExactly("RECV 11 SUCCESS @10000");
    }
    try (Pair pair = pair(DeviceProfile.softRoce())) {
      pair.b.postReceive(11, pair.b.memory(140, 0));
      send(pair, 1, toB(pair), 100, 0x80000000);
      pair.run();
      assertThat(pair.completions("b")).isEmpty();
      assertThat(pair.b.node.transport().droppedQueueKey()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @Checks({"QKEY-PRIVILEGED", "S57", "QPTest.test_create_ud_qp_with_privileged_qkey"})
  void aPrivilegedKeyTakesAPrivilege(boolean privileged) {
    try (Fabric fabric = Fabric.create()) {
      NodeConfiguration configuration = NodeConfiguration.named("a");
      Side side =
          new Side(
              fabric,
              privileged ? configuration.withPrivilege() : configuration,
              (send, receive) ->
                  io.roceverbs.verbs.QueuePairInit.datagram(send, 4, 4)
                      .withReceiveCompletionQueue(receive));
      QueuePairAttributes init =
          QueuePairAttributes.to(QueuePairState.INIT)
              .partitionKeyIndex(0)
              .port(1)
              .queueKey(0x80000000)
              .build();
      if (privileged) {
        side.queuePair.modify(init);
        assertThat(side.queuePair.query().queueKey()).isEqualTo(0x80000000);
      } else {
        VerbsException refused =
            catchThrowableOfType(VerbsException.class, () -> side.queuePair.modify(init));
        assertThat(refused.errno()).isEqualTo(Errno.EPERM);
        assertThat(side.state()).isEqualTo(QueuePairState.RESET);
      }
    }
  }

  @Test
  void anAnswerGoesBackToWhereTheDatagramCameFrom() {
    try (Pair pair = pair()) {
      for (int index = 0; index <= 1; index++) {
        Side.Memory request = pair.b.memory(140, 0);
        pair.b.postReceive(11, request);
        Side.Memory answer = pair.a.memory(140, 0);
        pair.a.postReceive(21, answer);
        AddressVector vector =
            AddressVector.to(index == 0 ? pair.b.node.gid() : pair.b.node.ipv6Gid())
                .withSourceGidIndex(index);
        send(pair, 1, pair.a.domain.createAddressHandle(vector), 100, QUEUE_KEY);
        pair.run();
        WorkCompletion received = pair.b.pollReceives().get(0);
        AddressHandle back = pair.b.domain.createAddressHandle(received, request.bytes(), 1);
        assertThat(back.vector().destination())
            .isEqualTo(index == 0 ? pair.a.node.gid() : pair.a.node.ipv6Gid());
        assertThat(back.vector().sourceGidIndex()).isEqualTo(index);

        pair.b.queuePair.post(
            pair.b
                .request
                .reset(2)
                .send()
                .segment(pair.b.memory(10, 3).region(), 0, 10)
                .to(back, received.sourceQueuePairNumber(), QUEUE_KEY));
        pair.run();
        assertThat(pair.a.pollReceives().get(0).byteLength()).isEqualTo(50);
        assertThat(answer.slice(40, 50)).containsOnly(3);
      }
    }
  }

  @Test
  void bytesThatHoldNoHeaderMakeNoAddressHandle() {
    try (Pair pair = pair()) {
      pair.b.postReceive(11, pair.b.memory(140, 0));
      send(pair, 1, toB(pair), 100, QUEUE_KEY);
      pair.run();
      WorkCompletion received = pair.b.pollReceives().get(0);
      for (int length : new int[] {0, 39, 40}) {
        assertThatThrownBy(
                () -> pair.b.domain.createAddressHandle(received, ByteBuffer.allocate(length), 1))
            .isInstanceOfSatisfying(
                VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));
      }
    }
  }

  @Test
  @Checks({"AHTest.test_create_ah", "AHTest.test_destroy_ah"})
  void anAddressHandleIsAChildOfItsDomainAndClosesTwice() {
    try (Pair pair = pair()) {
      ProtectionDomain domain = pair.a.context.allocateProtectionDomain();
      AddressHandle handle = domain.createAddressHandle(AddressVector.to(pair.b.node.gid()));
      assertThat(handle.vector()).isEqualTo(AddressVector.to(pair.b.node.gid()));
      assertThat(catchThrowableOfType(VerbsException.class, domain::close).errno())
          .isEqualTo(Errno.EBUSY);
      handle.close();
      handle.close();
      assertThat(handle.isOpen()).isFalse();
      domain.close();
    }
  }

  @ParameterizedTest
  @CsvSource({"2,0,port 2", "1,2,source GID index 2", "1,1,different IP versions"})
  @Checks("AHTest.test_create_ah_roce")
  void anAddressVectorThatLeadsNowhereIsRefused(int port, int gidIndex, String words) {
    try (Pair pair = pair()) {
      AddressVector vector =
          AddressVector.to(pair.b.node.gid()).withPort(port).withSourceGidIndex(gidIndex);
      VerbsException refused =
          catchThrowableOfType(
              VerbsException.class, () -> pair.a.domain.createAddressHandle(vector));
      assertThat(refused.errno()).isEqualTo(Errno.EINVAL);
      assertThat(refused).hasMessageContaining(words);
    }
  }

  @Test
  @Checks("POST-OPCODE")
  void postingWithoutAUsableHandleOrWithAnotherOperationIsRefused() {
    try (Pair pair = pair()) {
      AddressHandle closed = toB(pair);
      closed.close();
      AddressHandle foreign =
          pair.a.context.allocateProtectionDomain().createAddressHandle(closed.vector());
      AddressHandle good = toB(pair);
      List<SendRequest> refused =
          List.of(
              new SendRequest().reset(1).send(),
              new SendRequest().reset(1).send().to(closed, 1, 0),
              new SendRequest().reset(1).send().to(foreign, 1, 0),
              new SendRequest().reset(1).send().to(good, 0x1000000, 0),
              new SendRequest().reset(1).rdmaWrite(0, 1).to(good, 1, 0),
              new SendRequest().reset(1).localInvalidate(1).to(good, 1, 0));
      for (SendRequest request : refused) {
        PostException exception =
            catchThrowableOfType(PostException.class, () -> pair.a.queuePair.post(request));
        assertThat(exception.errno()).as("%s", request).isEqualTo(Errno.EINVAL);
      }
    }
  }

  @Test
  void onIrdmaAForeignHandleFailsTheRequestInstead() {
    DeviceProfile profile =
        DeviceProfile.strict().with(PostingSwitch.AddressHandleOfOtherDomain.COMPLETION_ERROR);
    try (Pair pair = pair(profile)) {
      AddressHandle foreign =
          pair.a
              .context
              .allocateProtectionDomain()
              .createAddressHandle(AddressVector.to(pair.b.node.gid()));
      send(pair, 1, foreign, 10, QUEUE_KEY);

      assertThat(pair.completions("a")).containsExactly("SEND 1 LOC_QP_OP_ERR @0");
      assertThat(pair.a.state()).isEqualTo(QueuePairState.SQE);
    }
  }

  @Test
  @Checks({"SQE-ENTRY", "SQE-RECEIVES", "S47"})
  void aBadLkeyLeadsToSqeWhereReceivingGoesOn() {
    try (Pair pair = pair()) {
      Side a = pair.a;
      a.postReceive(21, a.memory(140, 0));
      a.queuePair.post(
          a.request
              .reset(1)
              .send()
              .segment(0, 8, 0xBAD)
              .to(toB(pair), pair.b.queuePair.number(), QUEUE_KEY)
              .signaled());
      send(pair, 2, toB(pair), 8, QUEUE_KEY);
      assertThat(a.state()).isEqualTo(QueuePairState.SQE);
      Side b = pair.b;
      AddressHandle toA = b.domain.createAddressHandle(AddressVector.to(a.node.gid()));
      b.queuePair.post(b.request.reset(3).send().to(toA, a.queuePair.number(), QUEUE_KEY));
      pair.run();

      assertThat(pair.completions("a"))
          .containsExactly(
              "SEND 1 LOC_PROT_ERR @0", "SEND 2 WR_FLUSH_ERR @0", "RECV 21 SUCCESS @10000");
      a.queuePair.modify(
          QueuePairAttributes.to(QueuePairState.RTS).currentState(QueuePairState.SQE).build());
      b.postReceive(11, b.memory(140, 0));
      send(pair, 4, toB(pair), 8, QUEUE_KEY);
      pair.run();
      assertThat(pair.completions("b")).containsExactly("RECV 11 SUCCESS @20000");
    }
  }

  @Test
  @Checks({"RoTestCase.test_ro_ud_traffic", "BufTrafficTest.test_buf_ud_send_cc_pd_reg_buf_mr"})
  void aRelaxedRegionOverAPartOfABufferTakesDatagrams() {
    try (Pair pair = pair()) {
      ByteBuffer whole = ByteBuffer.allocate(400);
      MemoryRegion region =
          pair.b.domain.registerMemory(
              whole.position(100).limit(240), AccessFlag.LOCAL_WRITE, AccessFlag.RELAXED_ORDERING);
      pair.b.queuePair.post(new ReceiveRequest().reset(11).segment(region, 0, 140));
      send(pair, 1, toB(pair), 100, QUEUE_KEY);
      pair.run();

      assertThat(pair.b.pollReceives().get(0).byteLength()).isEqualTo(140);
      assertThat(whole.get(139)).isNotEqualTo((byte) 0x5A);
      for (int i = 140; i < 240; i++) {
        assertThat(whole.get(i)).isEqualTo((byte) 0x5A);
      }
      assertThat(whole.array()[240]).isZero();
    }
  }

  @Test
  void aHandleMayBeClosedWhileItsDatagramWaits() {
    try (Pair pair = pair()) {
      pair.b.postReceive(11, pair.b.memory(140, 0));
      pair.a.queuePair.modify(QueuePairAttributes.to(QueuePairState.SQD).build());
      AddressHandle handle = toB(pair);
      send(pair, 1, handle, 8, QUEUE_KEY);
      handle.close();
      pair.a.queuePair.modify(QueuePairAttributes.to(QueuePairState.RTS).build());
      pair.run();
      assertThat(pair.completions("b")).containsExactly("RECV 11 SUCCESS @10000");
    }
  }

  @Test
  void psnsCountUpOverTheWrapAndNobodyLooksAtThem() {
    try (Pair pair = Pair.unconnected(init -> init.withType(QueuePairType.UD))) {
      ConnectionSetup setup = Pair.setup().withFirstPsn(0xFFFFFF);
      pair.connect(setup, setup);
      for (int i = 0; i < 3; i++) {
        pair.b.postReceive(11 + i, pair.b.memory(140, 0));
        send(pair, i, toB(pair), 8, QUEUE_KEY);
      }
      pair.run();
      assertThat(pair.journal.psns("a")).containsExactly(0xFFFFFF, 0, 1);
      assertThat(pair.b.pollReceives()).hasSize(3);
    }
  }
}
