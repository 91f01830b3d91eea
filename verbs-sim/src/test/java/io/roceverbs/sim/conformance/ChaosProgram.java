package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.verbs.CompletionOpcode;
import io.roceverbs.verbs.CompletionStatus;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.ReceiveRequest;
import io.roceverbs.verbs.SendRequest;
import io.roceverbs.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Random;

/**
 * One side of a {@link ChaosRun}: posts random requests, and keeps a model of what they do.
 *
 * <p>What changes the peer's memory carries a fence, because a READ that is repeated looks at the
 * memory again.
 */
final class ChaosProgram {
  static final int DEPTH = 40;
  private static final int BYTES_MAX = 5000;
  private static final int SLOTS = 64;
  private static final int TARGET_BYTES = 16_384;

  /** What a send completion must look like, and the bytes that must be in its slot then. */
  private record ExpectedSend(
      long id, CompletionOpcode opcode, int byteLength, ByteBuffer slot, Runnable atCompletion) {}

  /** What a receive completion must look like. {@code data} is null for a WRITE with immediate. */
  private record ExpectedReceive(
      CompletionOpcode opcode, int byteLength, ByteBuffer data, Integer immediate, Integer key) {}

  private final Side side;
  private final Random random;
  private final Side.Memory source;
  private final Side.Memory target;
  private final Side.Memory sink;
  private final Side.Memory received;
  private final Side.FastMemory own;
  private final Side.FastMemory lent;
  private final byte[] targetModel = new byte[TARGET_BYTES];
  private final byte[] lentModel = new byte[BYTES_MAX];
  private final Deque<ExpectedSend> sends = new ArrayDeque<>();
  private final Deque<ExpectedReceive> receives = new ArrayDeque<>();
  private final Deque<Integer> receiveSlots = new ArrayDeque<>();
  private final ReceiveRequest receive = new ReceiveRequest();
  private ChaosProgram peer;
  private int nextId;
  private int nextReceive;
  private boolean lentIsFree = true;
  private boolean lentIsValid;
  private int causes;
  private boolean flushed;

  ChaosProgram(Side side, Random random) {
    this.side = side;
    this.random = random;
    source = side.memory(TARGET_BYTES, 0);
    random.nextBytes(source.bytes().array());
    target = side.memory(TARGET_BYTES, 0);
    sink = side.memory(SLOTS * BYTES_MAX, 0);
    received = side.memory(SLOTS * BYTES_MAX, 0);
    own = side.fastMemory(BYTES_MAX, 0);
    random.nextBytes(own.memory().bytes().array());
    lent = side.fastMemory(BYTES_MAX, 0);
  }

  void meet(ChaosProgram other) {
    peer = other;
  }

  // ---- posting -------------------------------------------------------------------------------

  /** Posts one random request, or a chain that belongs together, if there is room. */
  boolean postOne() {
    if (sends.size() > DEPTH - 4 || hasFailed() || peer.hasFailed()) {
      return false;
    }
    int length = random.nextInt(5) == 0 ? random.nextInt(3) : random.nextInt(BYTES_MAX + 1);
    SendRequest request = side.request.reset(nextId);
    switch (random.nextInt(10)) {
      case 0 -> send(request.send(), length, null, null);
      case 1 -> {
        int immediate = random.nextInt();
        send(request.sendWithImmediate(immediate), length, immediate, null);
      }
      case 2 -> write(request, length, false);
      case 3 -> write(request, length, true);
      case 4 -> read(request, length);
      case 5 -> compareAndSwap(request);
      case 6 -> fetchAndAdd(request);
      case 7 -> sendFromOwnRegion();
      case 8 -> lend(request);
      default -> takeBack(request, Math.min(length, 600));
    }
    return true;
  }

  private void post(SendRequest request, CompletionOpcode opcode, int byteLength, ByteBuffer slot) {
    sends.add(new ExpectedSend(nextId++, opcode, byteLength, slot, ChaosProgram::doNothing));
    side.queuePair.post(request.signaled());
  }

  private static void doNothing() {}

  private static ByteBuffer copyOf(byte[] bytes, int from, int length) {
    return ByteBuffer.wrap(Arrays.copyOfRange(bytes, from, from + length));
  }

  /**
   * Gathers a message from up to four pieces of the source, some of them empty; returns its bytes.
   */
  private byte[] gather(SendRequest request, int length) {
    byte[] data = new byte[length];
    int from = random.nextInt(TARGET_BYTES - length);
    source.bytes().get(from, data);
    if (length <= 64 && random.nextBoolean()) {
      int half = length / 2;
      request.inlineData(ByteBuffer.wrap(data.clone(), 0, half));
      request.inlineData(ByteBuffer.wrap(data.clone(), half, length - half));
      return data;
    }
    int done = 0;
    for (int piece = 0; piece < 3; piece++) {
      int part = random.nextInt(length - done + 1);
      request.segment(source.region(), from + done, part);
      done += part;
    }
    request.segment(source.region(), from + done, length - done);
    return data;
  }

  private void send(SendRequest request, int length, Integer immediate, Integer key) {
    byte[] data = gather(request, length);
    peer.receives.add(
        new ExpectedReceive(CompletionOpcode.RECV, length, ByteBuffer.wrap(data), immediate, key));
    post(request, CompletionOpcode.SEND, 0, null);
  }

  private void write(SendRequest request, int length, boolean withImmediate) {
    int to = random.nextInt(TARGET_BYTES - length + 1);
    if (withImmediate) {
      int immediate = random.nextInt();
      request.rdmaWriteWithImmediate(peer.target.address() + to, peer.target.rkey(), immediate);
      peer.receives.add(
          new ExpectedReceive(CompletionOpcode.RECV_RDMA_WITH_IMM, length, null, immediate, null));
    } else {
      request.rdmaWrite(peer.target.address() + to, peer.target.rkey());
    }
    byte[] data = gather(request, length);
    System.arraycopy(data, 0, peer.targetModel, to, length);
    post(request.fenced(), CompletionOpcode.RDMA_WRITE, 0, null);
  }

  private void read(SendRequest request, int length) {
    int from = random.nextInt(TARGET_BYTES - length + 1);
    long slot = (long) (nextId % SLOTS) * BYTES_MAX;
    int first = random.nextInt(length + 1);
    request
        .rdmaRead(peer.target.address() + from, peer.target.rkey())
        .segment(sink.region(), slot, first)
        .segment(sink.region(), slot + first, length - first);
    ByteBuffer expected = copyOf(peer.targetModel, from, length);
    post(request, CompletionOpcode.RDMA_READ, length, expected);
  }

  private void compareAndSwap(SendRequest request) {
    int at = 8 * random.nextInt(TARGET_BYTES / 8);
    ByteBuffer model = ByteBuffer.wrap(peer.targetModel).order(ByteOrder.LITTLE_ENDIAN);
    ByteBuffer before = copyOf(peer.targetModel, at, 8);
    long compare = random.nextBoolean() ? model.getLong(at) : random.nextLong();
    long swap = random.nextLong();
    if (compare == model.getLong(at)) {
      model.putLong(at, swap);
    }
    request
        .compareAndSwap(peer.target.address() + at, peer.target.rkey(), compare, swap)
        .segment(sink.region(), (long) (nextId % SLOTS) * BYTES_MAX, 8);
    post(request.fenced(), CompletionOpcode.COMP_SWAP, 8, before);
  }

  private void fetchAndAdd(SendRequest request) {
    int at = 8 * random.nextInt(TARGET_BYTES / 8);
    ByteBuffer model = ByteBuffer.wrap(peer.targetModel).order(ByteOrder.LITTLE_ENDIAN);
    ByteBuffer before = copyOf(peer.targetModel, at, 8);
    long add = random.nextLong();
    model.putLong(at, model.getLong(at) + add);
    request
        .fetchAndAdd(peer.target.address() + at, peer.target.rkey(), add)
        .segment(sink.region(), (long) (nextId % SLOTS) * BYTES_MAX, 8);
    post(request.fenced(), CompletionOpcode.FETCH_ADD, 8, before);
  }

  /** REG_MR, a SEND from the region, and a fenced LOCAL_INV, all at once. */
  private void sendFromOwnRegion() {
    side.postRegister(nextId, own);
    sends.add(
        new ExpectedSend(nextId++, CompletionOpcode.REG_MR, 0, null, ChaosProgram::doNothing));
    int length = random.nextInt(BYTES_MAX + 1);
    byte[] data = own.memory().slice(0, length);
    peer.receives.add(
        new ExpectedReceive(CompletionOpcode.RECV, length, ByteBuffer.wrap(data), null, null));
    SendRequest request = side.request;
    post(
        request.reset(nextId).send().segment(own.region(), 0, length),
        CompletionOpcode.SEND,
        0,
        null);
    post(
        request.reset(nextId).localInvalidate(own.key()).fenced(),
        CompletionOpcode.LOCAL_INV,
        0,
        null);
  }

  /** Registers a region for the peer; when that has completed the peer may use it. */
  private void lend(SendRequest request) {
    if (!lentIsFree) {
      send(request.send(), 16, null, null);
      return;
    }
    lentIsFree = false;
    side.postRegister(nextId, lent);
    sends.add(
        new ExpectedSend(nextId++, CompletionOpcode.REG_MR, 0, null, this::lentRegionIsValid));
  }

  private void lentRegionIsValid() {
    lentIsValid = true;
  }

  /** Writes into what the peer has lent and gives it back by invalidating its key. */
  private void takeBack(SendRequest request, int length) {
    if (!peer.lentIsValid) {
      send(request.send(), length, null, null);
      return;
    }
    peer.lentIsValid = false;
    request.rdmaWrite(peer.lent.address() + 7, peer.lent.key());
    byte[] data = gather(request, length);
    System.arraycopy(data, 0, peer.lentModel, 7, length);
    post(request, CompletionOpcode.RDMA_WRITE, 0, null);
    SendRequest last = side.request.reset(nextId);
    send(last.sendWithInvalidate(peer.lent.key()), 300, null, peer.lent.key());
  }

  /** Posts some of the receives that the peer's requests will need; too few make it wait. */
  void postReceives() {
    while (receiveSlots.size() < DEPTH && random.nextInt(8) != 0 && !hasFailed()) {
      long slot = (long) (nextReceive % SLOTS) * BYTES_MAX;
      int first = random.nextInt(BYTES_MAX + 1);
      side.queuePair.post(
          receive
              .reset(nextReceive)
              .segment(received.region(), slot, first)
              .segment(received.region(), slot + first, BYTES_MAX - first));
      receiveSlots.add(nextReceive++);
    }
  }

  // ---- checking ------------------------------------------------------------------------------

  void poll() {
    for (WorkCompletion completion : side.pollSends()) {
      checkSend(completion);
    }
    for (WorkCompletion completion : side.pollReceives()) {
      checkReceive(completion);
    }
  }

  private void checkSend(WorkCompletion completion) {
    ExpectedSend expected = sends.remove();
    assertThat(completion.id()).isEqualTo(expected.id());
    if (!isSuccess(completion)) {
      return;
    }
    assertThat(completion.opcode()).isEqualTo(expected.opcode());
    ByteBuffer slot = expected.slot();
    if (slot != null) {
      assertThat(completion.byteLength()).isEqualTo(expected.byteLength());
      int at = (int) (expected.id() % SLOTS) * BYTES_MAX;
      assertThat(copyOf(sink.bytes().array(), at, slot.remaining())).isEqualTo(slot);
    }
    expected.atCompletion().run();
  }

  private void checkReceive(WorkCompletion completion) {
    int id = receiveSlots.remove();
    assertThat(completion.id()).isEqualTo(id);
    if (!isSuccess(completion)) {
      return;
    }
    ExpectedReceive expected = receives.remove();
    assertThat(completion.opcode()).isEqualTo(expected.opcode());
    assertThat(completion.byteLength()).isEqualTo(expected.byteLength());
    assertThat(completion.withImmediate()).isEqualTo(expected.immediate() != null);
    assertThat(completion.withInvalidate()).isEqualTo(expected.key() != null);
    if (expected.immediate() != null) {
      assertThat(completion.immediate()).isEqualTo(expected.immediate());
    }
    if (expected.key() != null) {
      assertThat(completion.invalidatedRkey()).isEqualTo(expected.key());
      lentIsFree = true;
    }
    if (expected.data() != null) {
      int at = (id % SLOTS) * BYTES_MAX;
      assertThat(copyOf(received.bytes().array(), at, expected.byteLength()))
          .isEqualTo(expected.data());
    }
  }

  /**
   * Notes an error, which only the retry count may cause, and nothing but flushes may follow in its
   * queue.
   */
  private boolean isSuccess(WorkCompletion completion) {
    if (completion.isSuccess()) {
      assertThat(flushed).as("a success after an error").isFalse();
      return true;
    }
    if (completion.status() != CompletionStatus.WR_FLUSH_ERR) {
      assertThat(completion.status())
          .as(completion.detail())
          .isEqualTo(CompletionStatus.RETRY_EXC_ERR);
      causes++;
    }
    flushed = true;
    return false;
  }

  boolean hasFailed() {
    return flushed || side.state() == QueuePairState.ERR;
  }

  boolean isIdle() {
    return sends.isEmpty() && receives.isEmpty();
  }

  boolean owesReceives() {
    return receives.size() > receiveSlots.size();
  }

  int causes() {
    return causes;
  }

  void checkCauses() {
    assertThat(causes).isLessThanOrEqualTo(1);
    if (causes == 1) {
      assertThat(sends).isEmpty();
      assertThat(receiveSlots).isEmpty();
      assertThat(side.state()).isEqualTo(QueuePairState.ERR);
    } else {
      assertThat(flushed).isFalse();
    }
  }

  void checkMemory() {
    assertThat(target.slice(0, TARGET_BYTES)).isEqualTo(targetModel);
    assertThat(lent.memory().slice(0, BYTES_MAX)).isEqualTo(lentModel);
    assertThat(receives).isEmpty();
  }
}
