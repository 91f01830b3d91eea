package io.roceverbs.sim.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.ConnectionSetup;
import io.roceverbs.sim.Fabric;
import io.roceverbs.sim.fabric.impair.Impairment;
import io.roceverbs.verbs.AccessFlag;
import io.roceverbs.verbs.AccessFlags;
import io.roceverbs.verbs.CompletionQueue;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.MemoryRegion;
import io.roceverbs.verbs.PostException;
import io.roceverbs.verbs.ProtectionDomain;
import io.roceverbs.verbs.QueuePair;
import io.roceverbs.verbs.QueuePairInit;
import io.roceverbs.verbs.ReceiveRequest;
import io.roceverbs.verbs.SendRequest;
import io.roceverbs.verbs.WorkCompletions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Ordinary Java threads that share a fabric, a device or a queue pair lose nothing and mix nothing
 * up.
 */
class ThreadsTest {
  private static final int OPERATIONS = 2_000;
  private static final int THREADS = 2;
  private static final int SLOTS = 16;
  private static final AccessFlags ALL =
      AccessFlags.of(
          AccessFlag.LOCAL_WRITE,
          AccessFlag.REMOTE_WRITE,
          AccessFlag.REMOTE_READ,
          AccessFlag.REMOTE_ATOMIC);

  private final Fabric fabric = Fabric.create();
  private final ProtectionDomain a = fabric.addNode("a").device().open().allocateProtectionDomain();
  private final ProtectionDomain b = fabric.addNode("b").device().open().allocateProtectionDomain();
  private final ExecutorService executor = Executors.newFixedThreadPool(THREADS);

  @AfterEach
  void closeAll() {
    executor.shutdownNow();
    fabric.close();
  }

  /** Two connected queue pairs, each with a completion queue. */
  private final class Connection {
    final CompletionQueue completionsOfA = a.context().createCompletionQueue(64);
    final CompletionQueue completionsOfB = b.context().createCompletionQueue(64);
    final QueuePair ofA =
        a.createQueuePair(QueuePairInit.reliableConnected(completionsOfA, SLOTS, SLOTS));
    final QueuePair ofB =
        b.createQueuePair(QueuePairInit.reliableConnected(completionsOfB, SLOTS, SLOTS));

    Connection() {
      ConnectionSetup.standard().connect(ofA, ofB);
    }
  }

  private void runOnAllThreads(List<Callable<Void>> tasks) throws Exception {
    List<Future<Void>> futures = new ArrayList<>();
    for (Callable<Void> task : tasks) {
      futures.add(executor.submit(task));
    }
    for (Future<Void> future : futures) {
      future.get(60, TimeUnit.SECONDS);
    }
  }

  private static int pollOne(CompletionQueue queue, WorkCompletions completions) {
    int count = 0;
    while (count == 0) {
      count = queue.poll(completions);
    }
    for (int i = 0; i < count; i++) {
      completions.get(i).requireSuccess();
    }
    return count;
  }

  /** Sends numbered messages to itself through its own connection, and checks each. */
  private Void pingAlone(int thread) {
    Connection connection = new Connection();
    ByteBuffer sent = ByteBuffer.allocate(2048);
    ByteBuffer received = ByteBuffer.allocate(2048);
    MemoryRegion source = a.registerMemory(sent, ALL);
    MemoryRegion target = b.registerMemory(received, ALL);
    SendRequest send = new SendRequest();
    ReceiveRequest receive = new ReceiveRequest();
    WorkCompletions completions = new WorkCompletions(1);
    for (int i = 0; i < OPERATIONS; i++) {
      long mark = (long) thread << 32 | i;
      sent.putLong(0, mark).putLong(2040, ~mark);
      connection.ofB.post(receive.reset(mark).segment(target, 0, 2048));
      connection.ofA.post(send.reset(mark).send().segment(source, 0, 2048).signaled());
      pollOne(connection.completionsOfB, completions);
      assertThat(completions.get(0).id()).isEqualTo(mark);
      assertThat(received.getLong(0)).isEqualTo(mark);
      assertThat(received.getLong(2040)).isEqualTo(~mark);
      pollOne(connection.completionsOfA, completions);
      assertThat(completions.get(0).id()).isEqualTo(mark);
    }
    return null;
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.05})
  void twoThreadsEachOnTheirOwnQueuePairDoNotDisturbEachOther(double loss) throws Exception {
    fabric.impair(Impairment.loss(loss));
    runOnAllThreads(List.of(() -> pingAlone(1), () -> pingAlone(2)));
    assertThat(fabric.nanoTime()).isPositive();
  }

  @Test
  void twoThreadsOnOneQueuePairGetEachCompletionOnce() throws Exception {
    Connection connection = new Connection();
    ByteBuffer counter = ByteBuffer.allocate(8);
    MemoryRegion remote = b.registerMemory(counter, ALL);
    MemoryRegion results = a.registerMemory(ByteBuffer.allocate(8 * THREADS), ALL);
    AtomicIntegerArray completed = new AtomicIntegerArray(THREADS * OPERATIONS);
    AtomicInteger total = new AtomicInteger();
    List<Callable<Void>> tasks = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      int number = thread;
      tasks.add(() -> addFromOneThread(connection, remote, results, number, completed, total));
    }
    runOnAllThreads(tasks);
    assertThat(total.get()).isEqualTo(THREADS * OPERATIONS);
    for (int id = 0; id < THREADS * OPERATIONS; id++) {
      assertThat(completed.get(id)).as("completions of request %d", id).isEqualTo(1);
    }
    assertThat(counter.order(ByteOrder.LITTLE_ENDIAN).getLong(0)).isEqualTo(THREADS * OPERATIONS);
  }

  private static Void addFromOneThread(
      Connection connection,
      MemoryRegion remote,
      MemoryRegion results,
      int thread,
      AtomicIntegerArray completed,
      AtomicInteger total) {
    SendRequest add = new SendRequest();
    WorkCompletions completions = new WorkCompletions(4);
    int posted = 0;
    while (total.get() < THREADS * OPERATIONS) {
      if (posted < OPERATIONS && postAdd(connection, remote, results, thread, posted, add)) {
        posted++;
      }
      int count = connection.completionsOfA.poll(completions);
      for (int i = 0; i < count; i++) {
        completed.incrementAndGet((int) completions.get(i).requireSuccess().id());
      }
      total.addAndGet(count);
    }
    assertThat(posted).isEqualTo(OPERATIONS);
    return null;
  }

  private static boolean postAdd(
      Connection connection,
      MemoryRegion remote,
      MemoryRegion results,
      int thread,
      int number,
      SendRequest add) {
    try {
      connection.ofA.post(
          add.reset((long) thread * OPERATIONS + number)
              .fetchAndAdd(remote.address(), remote.rkey(), 1)
              .segment(results, 8L * thread, 8)
              .signaled());
      return true;
    } catch (PostException e) {
      assertThat(e.errno()).isEqualTo(Errno.ENOMEM);
      return false;
    }
  }

  @Test
  void registeringAndClosingFromTwoThreadsLeavesTheDomainEmpty() throws Exception {
    List<Callable<Void>> tasks = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      tasks.add(
          () -> {
            for (int i = 0; i < OPERATIONS; i++) {
              new Connection().ofA.close();
              a.registerMemory(ByteBuffer.allocate(8), ALL).close();
            }
            return null;
          });
    }
    runOnAllThreads(tasks);
    a.close();
    assertThat(a.isOpen()).isFalse();
  }
}
