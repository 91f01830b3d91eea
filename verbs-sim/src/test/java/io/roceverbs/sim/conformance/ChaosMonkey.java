package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.ConnectionSetup;
import io.roceverbs.sim.Fabric;
import io.roceverbs.sim.LinkConfiguration;
import io.roceverbs.sim.Node;
import io.roceverbs.sim.fabric.impair.Impairment;
import io.roceverbs.verbs.AccessFlag;
import io.roceverbs.verbs.AccessFlags;
import io.roceverbs.verbs.AsyncEvent;
import io.roceverbs.verbs.CompletionQueue;
import io.roceverbs.verbs.DeviceContext;
import io.roceverbs.verbs.FastRegistrationRegion;
import io.roceverbs.verbs.MemoryRegion;
import io.roceverbs.verbs.ProtectionDomain;
import io.roceverbs.verbs.QueuePair;
import io.roceverbs.verbs.QueuePairAttributes;
import io.roceverbs.verbs.QueuePairInit;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.ReceiveRequest;
import io.roceverbs.verbs.SendRequest;
import io.roceverbs.verbs.VerbsException;
import io.roceverbs.verbs.WorkCompletion;
import io.roceverbs.verbs.WorkCompletions;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/**
 * Makes random verbs calls on a fabric of two nodes, all from one seed; see {@link
 * ChaosMonkeyTest}.
 */
final class ChaosMonkey implements AutoCloseable {
  private static final int CONNECTIONS = 3;
  private static final int DEPTH = 6;
  private static final int BYTES = 6000;
  private static final AccessFlags[] RIGHTS = {
    AccessFlags.NONE,
    AccessFlags.of(AccessFlag.LOCAL_WRITE),
    AccessFlags.of(AccessFlag.REMOTE_READ),
    AccessFlags.of(AccessFlag.REMOTE_WRITE),
    AccessFlags.of(
        AccessFlag.LOCAL_WRITE,
        AccessFlag.REMOTE_WRITE,
        AccessFlag.REMOTE_READ,
        AccessFlag.REMOTE_ATOMIC)
  };

  /** A node with everything that the monkey plays with. */
  private final class Toys {
    final DeviceContext context;
    final ProtectionDomain domain;
    final CompletionQueue queue;
    final List<MemoryRegion> regions = new ArrayList<>();
    final List<FastRegistrationRegion> fastRegions = new ArrayList<>();
    final Bundle[] bundles = new Bundle[CONNECTIONS];
    final WorkCompletions completions = new WorkCompletions(5);

    Toys(Node node) {
      context = node.device().open();
      domain = context.allocateProtectionDomain();
      queue = context.createCompletionQueue(2 * CONNECTIONS * DEPTH);
      for (int i = 0; i < 4; i++) {
        regions.add(domain.registerMemory(ByteBuffer.allocate(BYTES), RIGHTS[4]));
        fastRegions.add(domain.allocateFastRegistrationRegion(2));
        fastRegions.get(i).map(ByteBuffer.allocate(4096), ByteBuffer.allocate(500));
      }
      for (int i = 0; i < CONNECTIONS; i++) {
        bundles[i] = new Bundle(this);
      }
    }

    MemoryRegion region() {
      return regions.get(random.nextInt(regions.size()));
    }

    FastRegistrationRegion fastRegion() {
      return fastRegions.get(random.nextInt(fastRegions.size()));
    }
  }

  /** A queue pair and the ids of what was posted to it and has not come back. */
  private static final class Bundle {
    final Toys toys;
    QueuePair queuePair;
    final Deque<Long> sends = new ArrayDeque<>();
    final Deque<Long> receives = new ArrayDeque<>();
    boolean failed;

    Bundle(Toys toys) {
      this.toys = toys;
      create();
    }

    void create() {
      queuePair =
          toys.domain.createQueuePair(
              QueuePairInit.reliableConnected(toys.queue, DEPTH, DEPTH).withInline(32));
      forget();
    }

    void forget() {
      sends.clear();
      receives.clear();
      failed = false;
    }
  }

  private final Random random;
  private final Fabric fabric;
  private final Toys a;
  private final Toys b;
  private long nextId;
  private long completions;

  ChaosMonkey(int seed) {
    random = new Random(seed);
    double chance = random.nextInt(3) * 0.04;
    LinkConfiguration link =
        random.nextBoolean()
            ? LinkConfiguration.DEFAULT
            : LinkConfiguration.DEFAULT.withBandwidth(200_000_000L);
    fabric = Fabric.builder().seed(seed).link(link).build();
    a = new Toys(fabric.addNode("a"));
    b = new Toys(fabric.addNode("b"));
    for (int i = 0; i < CONNECTIONS; i++) {
      setup().connect(a.bundles[i].queuePair, b.bundles[i].queuePair);
    }
    fabric.impair(new Impairment(chance, chance, chance, chance, chance, 90_000_000L));
  }

  private ConnectionSetup setup() {
    return ConnectionSetup.standard()
        .withRetries(random.nextInt(8), random.nextInt(8))
        .withFirstPsn(random.nextInt(1 << 24))
        .withReadDepth(random.nextInt(4))
        .withTimeout(random.nextInt(4) == 0 ? 0 : 8 + random.nextInt(7));
  }

  long completions() {
    return completions;
  }

  // ---- acting --------------------------------------------------------------------------------

  void act() {
    int side = random.nextInt(2);
    Toys own = side == 0 ? a : b;
    Toys other = side == 0 ? b : a;
    int number = random.nextInt(CONNECTIONS);
    Bundle bundle = own.bundles[number];
    try {
      switch (random.nextInt(40)) {
        case 0 -> modify(bundle, randomState());
        case 1 -> bundle.queuePair.modify(QueuePairAttributes.builder().timeout(9).build());
        case 2 -> reconnect(number);
        case 3 -> replace(bundle, number);
        case 4 -> replaceRegion(own);
        case 5 -> own.fastRegion().map(0x1000L * random.nextInt(50), ByteBuffer.allocate(4096));
        case 6, 7 -> acknowledgeEvents(own);
        case 8, 9, 10, 11, 12, 13, 14 -> postReceive(bundle);
        case 15, 16, 17 -> poll(own);
        case 18, 19, 20 -> fabric.runFor(Duration.ofNanos(random.nextInt(200_000)));
        case 21 -> fabric.runFor(Duration.ofMillis(random.nextInt(300)));
        case 22, 23, 24 -> fabric.step();
        default -> postSend(bundle, other, other.bundles[number]);
      }
    } catch (VerbsException expected) {
      assertThat(expected.errno()).isNotNull();
    }
  }

  private QueuePairState randomState() {
    QueuePairState[] states = QueuePairState.values();
    return states[random.nextInt(states.length)];
  }

  private static void modify(Bundle bundle, QueuePairState state) {
    bundle.queuePair.modify(QueuePairAttributes.to(state).build());
    if (state == QueuePairState.RESET) {
      bundle.forget();
    }
  }

  private void reconnect(int number) {
    modify(a.bundles[number], QueuePairState.RESET);
    modify(b.bundles[number], QueuePairState.RESET);
    setup().connect(a.bundles[number].queuePair, b.bundles[number].queuePair);
  }

  private void replace(Bundle bundle, int number) {
    bundle.queuePair.close();
    bundle.create();
    if (random.nextBoolean()) {
      reconnect(number);
    }
  }

  private void replaceRegion(Toys toys) {
    int slot = random.nextInt(4);
    if (random.nextBoolean()) {
      toys.regions.get(slot).close();
      AccessFlags rights = RIGHTS[random.nextBoolean() ? 4 : random.nextInt(RIGHTS.length)];
      ByteBuffer buffer =
          random.nextBoolean() ? ByteBuffer.allocate(BYTES) : ByteBuffer.allocateDirect(BYTES);
      try {
        toys.regions.set(slot, toys.domain.registerMemory(buffer, rights));
      } catch (VerbsException illegalRights) {
        toys.regions.set(slot, toys.domain.registerMemory(buffer));
      }
    } else {
      toys.fastRegions.get(slot).close();
      toys.fastRegions.set(slot, toys.domain.allocateFastRegistrationRegion(1));
    }
  }

  private static void acknowledgeEvents(Toys toys) {
    for (AsyncEvent event = toys.context.pollAsyncEvent();
        event != null;
        event = toys.context.pollAsyncEvent()) {
      event.acknowledge();
    }
  }

  private void postReceive(Bundle bundle) {
    ReceiveRequest receive = new ReceiveRequest().reset(nextId++);
    for (int i = random.nextInt(4); i > 0; i--) {
      receive.segment(bundle.toys.region(), random.nextInt(50), random.nextInt(BYTES));
    }
    bundle.queuePair.post(receive);
    bundle.receives.add(receive.id());
    drainFlushes(bundle);
  }

  private void postSend(Bundle bundle, Toys peer, Bundle ignoredPeer) {
    SendRequest send = new SendRequest().reset(nextId++);
    MemoryRegion remote = peer.region();
    FastRegistrationRegion remoteFast = peer.fastRegion();
    FastRegistrationRegion ownFast = bundle.toys.fastRegion();
    boolean sane = random.nextInt(12) != 0;
    int key = sane ? remote.rkey() : random.nextInt();
    long address = remote.address() + 8L * random.nextInt(100);
    switch (random.nextInt(12)) {
      case 0, 1 -> send.send();
      case 2 -> send.sendWithImmediate(1);
      case 3 -> send.sendWithInvalidate(sane ? remoteFast.rkey() : key);
      case 4, 5 -> send.rdmaWrite(address, key);
      case 6 -> send.rdmaWriteWithImmediate(remoteFast.address(), remoteFast.rkey(), 2);
      case 7 -> send.rdmaRead(address, key);
      case 8 -> send.compareAndSwap(address, key, 0, 1);
      case 9 -> send.fetchAndAdd(address, key, 1);
      case 10 -> send.localInvalidate(ownFast.rkey());
      default -> send.registerMemory(ownFast, ownFast.nextKey(), RIGHTS[random.nextInt(5)]);
    }
    addData(send, bundle.toys);
    if (random.nextBoolean()) {
      send.signaled();
    }
    if (random.nextInt(4) == 0) {
      send.fenced();
    }
    bundle.queuePair.post(send);
    bundle.sends.add(send.id());
    assertThat(ignoredPeer.toys).isSameAs(peer);
    drainFlushes(bundle);
  }

  private void addData(SendRequest send, Toys own) {
    if (send.opcode().isLocal()) {
      return;
    }
    if (send.opcode().isAtomic()) {
      send.segment(own.region(), 8L * random.nextInt(20), 8);
    } else if (random.nextInt(5) == 0) {
      send.inlineData(ByteBuffer.allocate(random.nextInt(40)));
    } else {
      for (int i = random.nextInt(4); i > 0; i--) {
        send.segment(own.region(), random.nextInt(100), random.nextInt(2500));
      }
    }
  }

  // ---- checking ------------------------------------------------------------------------------

  /** A queue that is flushed fills the completion queue, which nobody but the monkey empties. */
  private void drainFlushes(Bundle bundle) {
    if (bundle.queuePair.state() == QueuePairState.ERR) {
      poll(bundle.toys);
    }
  }

  private void poll(Toys toys) {
    int count = toys.queue.poll(toys.completions);
    for (int i = 0; i < count; i++) {
      check(toys, toys.completions.get(i));
    }
    completions += count;
  }

  private static void check(Toys toys, WorkCompletion completion) {
    for (Bundle bundle : toys.bundles) {
      if (bundle.queuePair.number() == completion.queuePairNumber()) {
        Deque<Long> queue =
            bundle.receives.contains(completion.id()) ? bundle.receives : bundle.sends;
        assertThat(queue).as("outstanding, for %s", completion).contains(completion.id());
        if (queue == bundle.receives) {
          assertThat(queue.peek()).as("oldest receive").isEqualTo(completion.id());
        }
        while (queue.remove() != completion.id()) {
          assertThat(queue).isNotEmpty();
        }
        assertThat(completion.isSuccess() && bundle.failed && queue == bundle.sends).isFalse();
        bundle.failed |= !completion.isSuccess();
        return;
      }
    }
    throw new AssertionError("a completion of no living queue pair: " + completion);
  }

  /** Moves all queue pairs to ERR: what was posted and has not completed comes back then. */
  void bringEverythingHome() {
    fabric.runFor(Duration.ofSeconds(1));
    for (Toys toys : List.of(a, b)) {
      for (Bundle bundle : toys.bundles) {
        if (bundle.queuePair.state() != QueuePairState.RESET) {
          modify(bundle, QueuePairState.ERR);
        }
      }
      acknowledgeEvents(toys);
      for (int i = 0; i < 2 * CONNECTIONS * DEPTH; i++) {
        poll(toys);
      }
      for (Bundle bundle : toys.bundles) {
        assertThat(bundle.receives).as("receives of %s", bundle.queuePair).isEmpty();
        bundle.queuePair.close();
      }
      toys.regions.forEach(MemoryRegion::close);
      toys.fastRegions.forEach(FastRegistrationRegion::close);
      toys.domain.close();
      toys.queue.close();
      toys.context.close();
    }
    fabric.runFor(Duration.ofSeconds(1));
  }

  @Override
  public void close() {
    fabric.close();
  }
}
