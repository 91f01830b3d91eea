package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.Fabric;
import io.roceverbs.sim.profile.DeviceProfile;
import io.roceverbs.sim.profile.ErrorSwitch;
import io.roceverbs.sim.profile.ProfileSwitch;
import io.roceverbs.verbs.AccessFlag;
import io.roceverbs.verbs.AccessFlags;
import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.QueuePairState;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Which faults raise an event, on devices that tell of them and on those that do not. */
class AccessEventsTest {
  private static final int BAD_KEY = 0x7777_7777;

  private static Pair pair(ProfileSwitch value) {
    return pair(DeviceProfile.strict().with(value));
  }

  private static Pair pair(DeviceProfile profile) {
    Pair pair = Pair.unconnected(Fabric.builder().profile(profile).build(), init -> init);
    pair.connect(Pair.setup(), Pair.setup());
    return pair;
  }

  private static void postWrite(Pair pair, int rkey) {
    pair.a.queuePair.post(
        pair.a
            .request
            .reset(1)
            .rdmaWrite(0x1000, rkey)
            .segment(pair.a.memory(8, 1).region(), 0, 8)
            .signaled());
  }

  private static void postRead(Pair pair, int rkey) {
    pair.a.queuePair.post(
        pair.a
            .request
            .reset(1)
            .rdmaRead(0x1000, rkey)
            .segment(pair.a.memory(8, 1).region(), 0, 8)
            .signaled());
  }

  private static void assertFailed(Pair pair, AsyncEventType... events) {
    pair.run();
    assertThat(pair.completions("a")).singleElement().asString().contains("1 REM_");
    assertThat(pair.b.state()).isEqualTo(QueuePairState.ERR);
    assertThat(pair.b.pollEvents()).containsExactly(events);
    assertThat(pair.a.pollEvents()).isEmpty();
  }

  @Test
  @Checks({"C46", "FAULT-REPORT"})
  void aBadKeyIsToldByAnEventWhereTheDeviceHasIt() {
    try (Pair pair = pair(ErrorSwitch.AccessEvents.ON)) {
      postWrite(pair, BAD_KEY);
      assertFailed(pair, AsyncEventType.QP_ACCESS_ERR);
    }
    try (Pair pair = pair(ErrorSwitch.AccessEvents.ON)) {
      postRead(pair, BAD_KEY);
      assertFailed(pair, AsyncEventType.QP_ACCESS_ERR);
    }
  }

  @Test
  @Checks({"C46", "FAULT-REPORT"})
  void aBadKeyIsNotToldWhereTheDeviceHasNoSuchEvent() {
    try (Pair pair = pair(ErrorSwitch.AccessEvents.OFF)) {
      postWrite(pair, BAD_KEY);
      assertFailed(pair);
    }
    try (Pair pair = pair(ErrorSwitch.AccessEvents.OFF)) {
      postRead(pair, BAD_KEY);
      assertFailed(pair);
    }
  }

  @ParameterizedTest
  @EnumSource(ErrorSwitch.AccessEvents.class)
  void aRequestThatTheQueuePairDoesNotAllowIsToldOrNot(ErrorSwitch.AccessEvents value) {
    try (Pair pair =
        Pair.unconnected(
            Fabric.builder().profile(DeviceProfile.strict().with(value)).build(), init -> init)) {
      pair.connect(Pair.setup(), Pair.setup().withAccess(AccessFlags.of(AccessFlag.REMOTE_READ)));
      postWrite(pair, BAD_KEY);
      assertFailed(
          pair,
          value == ErrorSwitch.AccessEvents.ON
              ? new AsyncEventType[] {AsyncEventType.QP_REQ_ERR}
              : new AsyncEventType[0]);
    }
  }

  @ParameterizedTest
  @EnumSource(ErrorSwitch.AccessEvents.class)
  void anAnswerThatIsCutOffIsToldOrNot(ErrorSwitch.AccessEvents value) {
    try (Pair pair = pair(value)) {
      Side.Memory data = pair.b.memory(3000, 1);
      pair.a.queuePair.post(
          pair.a
              .request
              .reset(1)
              .rdmaRead(data.address(), data.rkey())
              .segment(pair.a.memory(3000, 0).region(), 0, 3000)
              .signaled());
      pair.impair("delay=1ms:a>b/READ_REQUEST");
      pair.fabric
          .trace()
          .addListener(
              event -> {
                if (event.toString().startsWith("PacketSent[")
                    && event.toString().contains("READ_RESPONSE_FIRST")) {
                  data.region().close();
                }
              });
      pair.run();
      assertThat(pair.completions("a")).singleElement().asString().contains("1 REM_ACCESS_ERR");
      assertThat(pair.b.pollEvents())
          .isEqualTo(
              value == ErrorSwitch.AccessEvents.ON
                  ? List.of(AsyncEventType.QP_ACCESS_ERR)
                  : List.of());
    }
  }

  @ParameterizedTest
  @CsvSource({"strict, true", "softRoce, false", "connectX, true", "irdma, true"})
  void eachProfileIsOneOfTheTwo(String name, boolean tells) {
    DeviceProfile profile =
        switch (name) {
          case "softRoce" -> DeviceProfile.softRoce();
          case "connectX" -> DeviceProfile.connectX();
          case "irdma" -> DeviceProfile.irdma();
          default -> DeviceProfile.strict();
        };
    try (Pair pair = pair(profile)) {
      postWrite(pair, BAD_KEY);
      pair.run();
      assertThat(pair.b.pollEvents())
          .isEqualTo(tells ? List.of(AsyncEventType.QP_ACCESS_ERR) : List.of());
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = ErrorSwitch.LocalFaultStatus.class,
      names = {"LOC_PROT_ERR", "LOC_PROT_ERR_AND_EVENT"})
  void memoryThatCanNotBeGatheredRaisesAnEventOnSomeDevices(ErrorSwitch.LocalFaultStatus value) {
    try (Pair pair = pair(value)) {
      Side.Memory data = pair.a.memory(8, 1);
      data.region().close();
      pair.a.queuePair.post(
          pair.a
              .request
              .reset(1)
              .send()
              .segment(data.region().address(), 8, data.region().lkey())
              .signaled());
      pair.run();
      assertThat(pair.completions("a")).containsExactly("SEND 1 LOC_PROT_ERR @0");
      assertThat(pair.a.pollEvents())
          .isEqualTo(
              value == ErrorSwitch.LocalFaultStatus.LOC_PROT_ERR
                  ? List.of()
                  : List.of(AsyncEventType.QP_ACCESS_ERR));
    }
  }
}
