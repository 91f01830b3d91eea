package io.roceverbs.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** The data path allocates nothing once warm: bytes counted by the JVM for this thread. */
class AllocationTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int WARM_UP_ROUNDS = 2_000;
  private static final int ROUNDS = 10_000;
  private static final int COUNTS = 5;

  private final FakeRegion region = new FakeRegion(0x100, 0x200, 0x10000, 4096);
  private final FakeFastRegistrationRegion fast =
      new FakeFastRegistrationRegion(0x301, 0x20000, 8192);
  private final AccessFlags access = AccessFlags.of(AccessFlag.LOCAL_WRITE);
  private final ByteBuffer inline = ByteBuffer.allocate(32);
  private final SendRequest first = new SendRequest();
  private final SendRequest second = new SendRequest();
  private final ReceiveRequest receive = new ReceiveRequest();
  private final WorkCompletions completions = new WorkCompletions(4);
  private final WorkCompletion stored = new WorkCompletion();
  private long sum;

  @Test
  void fillingSendRequestsAllocatesNothing() {
    assertThat(bytesAllocatedBy(this::fillSendRequests)).isZero();
    assertThat(first.segmentCount()).isEqualTo(6);
  }

  private void fillSendRequests() {
    second.reset(2).registerMemory(fast, 0x302, access);
    second.reset(2).send().inlineData(inline).inlineData(inline).inlineData(inline).signaled();
    first.reset(1).rdmaWrite(0x1000, 0x200).fenced().next(second);
    for (int i = 0; i < 6; i++) {
      first.segment(region, i, 64);
    }
  }

  @Test
  void fillingAReceiveRequestAllocatesNothing() {
    assertThat(bytesAllocatedBy(this::fillReceiveRequest)).isZero();
    assertThat(receive.segmentCount()).isEqualTo(6);
  }

  private void fillReceiveRequest() {
    receive.reset(1);
    for (int i = 0; i < 6; i++) {
      receive.segment(region, i, 64);
    }
  }

  @Test
  void fillingAndReadingCompletionsAllocatesNothing() {
    assertThat(bytesAllocatedBy(this::fillAndReadCompletions)).isZero();
    assertThat(completions.size()).isEqualTo(3);
  }

  private void fillAndReadCompletions() {
    completions.clear();
    completions.append().setSuccess(1, 17, CompletionOpcode.SEND, 0);
    WorkCompletion received = completions.append();
    received.setSuccess(2, 17, CompletionOpcode.RECV, 64);
    received.setInvalidatedRkey(0x302);
    stored.setSuccess(3, 17, CompletionOpcode.RECV_RDMA_WITH_IMM, 64);
    stored.setImmediate(5);
    completions.append().copyFrom(stored);
    for (int i = 0; i < completions.size(); i++) {
      sum += completions.get(i).requireSuccess().opcode().value();
    }
    sum += completions.get(1).invalidatedRkey() + completions.get(2).immediate();
  }

  @Test
  void findingAConstantByItsNumberAllocatesNothing() {
    assertThat(
            bytesAllocatedBy(
                () -> {
                  sum += SendOpcode.fromValue(0x20).value();
                  sum += CompletionStatus.fromValue(23).value();
                }))
        .isZero();
    assertThat(sum).isPositive();
  }

  /**
   * The least of several counts. Compilation and deoptimisation now and then allocate some hundred
   * bytes on the measured thread; a byte allocated by each operation would be in every count.
   */
  private static long bytesAllocatedBy(Runnable operation) {
    run(operation, WARM_UP_ROUNDS);
    long least = Long.MAX_VALUE;
    for (int count = 0; count < COUNTS; count++) {
      long before = THREADS.getCurrentThreadAllocatedBytes();
      run(operation, ROUNDS);
      least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
    }
    return least;
  }

  private static void run(Runnable operation, int rounds) {
    for (int i = 0; i < rounds; i++) {
      operation.run();
    }
  }
}
