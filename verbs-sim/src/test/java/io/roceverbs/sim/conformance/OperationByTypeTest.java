package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.roceverbs.sim.ConnectionSetup;
import io.roceverbs.sim.Fabric;
import io.roceverbs.sim.profile.DeviceProfile;
import io.roceverbs.verbs.AccessFlag;
import io.roceverbs.verbs.AccessFlags;
import io.roceverbs.verbs.AddressHandle;
import io.roceverbs.verbs.AddressVector;
import io.roceverbs.verbs.DeviceCapability;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.MemoryWindow;
import io.roceverbs.verbs.MemoryWindowBinding;
import io.roceverbs.verbs.MemoryWindowType;
import io.roceverbs.verbs.PostException;
import io.roceverbs.verbs.QueuePairType;
import io.roceverbs.verbs.SendOpcode;
import io.roceverbs.verbs.SendRequest;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which operation which type of queue pair takes. */
class OperationByTypeTest {
  private static final Set<SendOpcode> OF_DATAGRAMS =
      EnumSet.of(SendOpcode.SEND, SendOpcode.SEND_WITH_IMM);

  private static final Set<SendOpcode> OF_UNRELIABLE =
      EnumSet.of(
          SendOpcode.SEND,
          SendOpcode.SEND_WITH_IMM,
          SendOpcode.RDMA_WRITE,
          SendOpcode.RDMA_WRITE_WITH_IMM,
          SendOpcode.BIND_MW,
          SendOpcode.LOCAL_INV,
          SendOpcode.REG_MR);

  /** Those that a request can hold. */
  private static final Set<SendOpcode> POSTED =
      EnumSet.complementOf(
          EnumSet.of(
              SendOpcode.TSO,
              SendOpcode.DRIVER1,
              SendOpcode.MASKED_ATOMIC_CMP_AND_SWP,
              SendOpcode.MASKED_ATOMIC_FETCH_AND_ADD,
              SendOpcode.FLUSH,
              SendOpcode.ATOMIC_WRITE,
              SendOpcode.REG_MR_INTEGRITY));

  private static final Set<SendOpcode> OF_MEMORY_MANAGEMENT =
      EnumSet.of(SendOpcode.SEND_WITH_INV, SendOpcode.LOCAL_INV, SendOpcode.REG_MR);

  private static Pair pair(QueuePairType type, DeviceProfile profile) {
    Pair pair =
        Pair.unconnected(Fabric.builder().profile(profile).build(), init -> init.withType(type));
    pair.connect(Pair.setup(), Pair.setup());
    return pair;
  }

  private static SendRequest request(Pair pair, SendOpcode opcode) {
    Side.Memory memory = pair.a.memory(8, 0);
    SendRequest request = new SendRequest().reset(1);
    switch (opcode) {
      case SEND -> request.send();
      case SEND_WITH_IMM -> request.sendWithImmediate(1);
      case SEND_WITH_INV -> request.sendWithInvalidate(1);
      case RDMA_WRITE -> request.rdmaWrite(0, 1);
      case RDMA_WRITE_WITH_IMM -> request.rdmaWriteWithImmediate(0, 1, 1);
      case RDMA_READ -> request.rdmaRead(0, 1);
      case ATOMIC_CMP_AND_SWP -> request.compareAndSwap(0, 1, 1, 2).segment(memory.region(), 0, 8);
      case ATOMIC_FETCH_AND_ADD -> request.fetchAndAdd(0, 1, 1).segment(memory.region(), 0, 8);
      case LOCAL_INV -> request.localInvalidate(1);
      case BIND_MW -> bind(pair, request);
      case REG_MR -> {
        Side.FastMemory fast = pair.a.fastMemory(64, 0);
        request.registerMemory(fast.region(), fast.region().nextKey());
      }
      case TSO, DRIVER1, MASKED_ATOMIC_CMP_AND_SWP, MASKED_ATOMIC_FETCH_AND_ADD ->
          throw new AssertionError("no request has " + opcode);
      case FLUSH, ATOMIC_WRITE, REG_MR_INTEGRITY ->
          throw new AssertionError("no request has " + opcode);
    }
    AddressHandle handle = pair.a.domain.createAddressHandle(AddressVector.to(pair.b.node.gid()));
    return request.to(handle, pair.b.queuePair.number(), ConnectionSetup.DEFAULT_QUEUE_KEY);
  }

  private static void bind(Pair pair, SendRequest request) {
    Side.Memory memory = pair.a.windowed(64, 0);
    MemoryWindow window = pair.a.window(MemoryWindowType.TYPE_2);
    request.bindMemoryWindow(
        window,
        window.nextRkey(),
        MemoryWindowBinding.of(memory.region(), 0, 64, AccessFlags.of(AccessFlag.REMOTE_READ)));
  }

  private static void assertTaken(Pair pair, SendOpcode opcode, boolean taken) {
    SendRequest request = request(pair, opcode);
    PostException refused =
        catchThrowableOfType(PostException.class, () -> pair.a.queuePair.post(request));
    if (taken) {
      assertThat(refused).as("%s", opcode).isNull();
    } else {
      assertThat(refused.errno()).as("%s", opcode).isEqualTo(Errno.EINVAL);
      assertThat(refused).hasMessageContaining(opcode + " is not an operation of a ");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"RC", "UC", "UD"})
  @Checks({"POST-OPCODE", "Additional.opcode_by_type"})
  void everyOperationIsTakenOrRefusedAsItsTransportAllows(QueuePairType type) {
    for (SendOpcode opcode : POSTED) {
      try (Pair pair = pair(type, DeviceProfile.strict())) {
        boolean taken =
            type == QueuePairType.RC
                || (type == QueuePairType.UC ? OF_UNRELIABLE : OF_DATAGRAMS).contains(opcode);
        assertTaken(pair, opcode, taken);
      }
    }
  }

  @Test
  @Checks({"C11", "POST-OPCODE"})
  void withoutTheMemoryManagementExtensionsTheirOperationsAreRefused() {
    DeviceProfile without =
        DeviceProfile.strict().withoutCapability(DeviceCapability.MEM_MGT_EXTENSIONS);
    for (SendOpcode opcode : POSTED) {
      if (opcode != SendOpcode.REG_MR) {
        try (Pair pair = pair(QueuePairType.RC, without)) {
          assertTaken(pair, opcode, !OF_MEMORY_MANAGEMENT.contains(opcode));
        }
      }
    }
  }
}
