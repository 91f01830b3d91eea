package io.roceverbs.sim.conformance;

import io.roceverbs.sim.Fabric;
import io.roceverbs.sim.Node;
import io.roceverbs.sim.NodeConfiguration;
import io.roceverbs.verbs.AccessFlag;
import io.roceverbs.verbs.AccessFlags;
import io.roceverbs.verbs.AsyncEvent;
import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.CompletionQueue;
import io.roceverbs.verbs.DeviceContext;
import io.roceverbs.verbs.FastRegistrationRegion;
import io.roceverbs.verbs.MemoryRegion;
import io.roceverbs.verbs.MemoryWindow;
import io.roceverbs.verbs.MemoryWindowBinding;
import io.roceverbs.verbs.MemoryWindowType;
import io.roceverbs.verbs.ProtectionDomain;
import io.roceverbs.verbs.QueuePair;
import io.roceverbs.verbs.QueuePairAttributes;
import io.roceverbs.verbs.QueuePairInit;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.ReceiveRequest;
import io.roceverbs.verbs.SendRequest;
import io.roceverbs.verbs.WorkCompletion;
import io.roceverbs.verbs.WorkCompletions;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * One end of a {@link Pair}: the verbs objects of one node, with what tests do with them in short
 * words.
 */
public final class Side {
  private static final AccessFlag[] ALL_ACCESS = {
    AccessFlag.LOCAL_WRITE,
    AccessFlag.REMOTE_WRITE,
    AccessFlag.REMOTE_READ,
    AccessFlag.REMOTE_ATOMIC
  };

  public final Fabric fabric;
  public final Node node;
  public final DeviceContext context;
  public final ProtectionDomain domain;
  public final CompletionQueue sendQueue;
  public final CompletionQueue receiveQueue;
  public final QueuePair queuePair;
  public final SendRequest request = new SendRequest();
  private final ReceiveRequest receive = new ReceiveRequest();
  private final WorkCompletions completions = new WorkCompletions(64);

  Side(Fabric fabric, String name, QueuePairShape shape) {
    this(fabric, NodeConfiguration.named(name), shape);
  }

  Side(Fabric fabric, NodeConfiguration configuration, QueuePairShape shape) {
    this.fabric = fabric;
    this.node = fabric.addNode(configuration);
    this.context = node.device().open();
    this.domain = context.allocateProtectionDomain();
    this.sendQueue = context.createCompletionQueue(shape.completionsMax());
    this.receiveQueue = context.createCompletionQueue(shape.completionsMax());
    this.queuePair = domain.createQueuePair(shape.init(sendQueue, receiveQueue));
  }

  /** What the queue pair of a side is created with. */
  interface QueuePairShape {
    QueuePairInit init(CompletionQueue send, CompletionQueue receive);

    default int completionsMax() {
      return 64;
    }
  }

  /** A region with all rights over fresh memory, filled with a value. */
  public Memory memory(int bytes, int fill) {
    return memory(bytes, fill, ALL_ACCESS);
  }

  /** A region over fresh memory, filled with a value. */
  public Memory memory(int bytes, int fill, AccessFlag... access) {
    ByteBuffer buffer = ByteBuffer.allocate(bytes);
    for (int i = 0; i < bytes; i++) {
      buffer.put(i, (byte) fill);
    }
    return new Memory(buffer, domain.registerMemory(buffer, access));
  }

  /**
   * Fresh memory, filled with a value and mapped into a fast registration region that is still
   * free.
   */
  public FastMemory fastMemory(int bytes, int fill) {
    Memory memory = memory(bytes, fill);
    int pages = (bytes - 1) / FastRegistrationRegion.PAGE_BYTES + 1;
    FastRegistrationRegion region = domain.allocateFastRegistrationRegion(pages);
    region.map(memory.bytes());
    return new FastMemory(memory, region);
  }

  /** Posts a signalled REG_MR of a memory under the next key, with all rights. */
  public void postRegister(long id, FastMemory memory) {
    FastRegistrationRegion region = memory.region();
    queuePair.post(
        request.reset(id).registerMemory(region, region.nextKey(), ALL_ACCESS).signaled());
  }

  /** An unbound window. */
  public MemoryWindow window(MemoryWindowType type) {
    return domain.allocateMemoryWindow(type);
  }

  /** A memory whose region windows can be bound to, and which has no remote right of its own. */
  public Memory windowed(int bytes, int fill) {
    return memory(bytes, fill, AccessFlag.LOCAL_WRITE, AccessFlag.MW_BIND);
  }

  /** Posts a signalled BIND_MW of a window of type 2 under its next key. */
  public void postBind(
      long id, MemoryWindow window, Memory memory, long offset, long length, AccessFlag... rights) {
    postBind(
        id,
        window,
        MemoryWindowBinding.of(memory.region(), offset, length, AccessFlags.of(rights)));
  }

  /** Posts a signalled BIND_MW of a window of type 2 under its next key. */
  public void postBind(long id, MemoryWindow window, MemoryWindowBinding binding) {
    queuePair.post(
        request.reset(id).bindMemoryWindow(window, window.nextRkey(), binding).signaled());
  }

  /** Posts a signalled WRITE of the first bytes of a memory. */
  public void postWrite(long id, Memory source, int bytes, long address, int rkey) {
    queuePair.post(
        request.reset(id).rdmaWrite(address, rkey).segment(source.region(), 0, bytes).signaled());
  }

  /** Posts a signalled READ into the first bytes of a memory. */
  public void postRead(long id, Memory sink, int bytes, long address, int rkey) {
    queuePair.post(
        request.reset(id).rdmaRead(address, rkey).segment(sink.region(), 0, bytes).signaled());
  }

  /** A signalled READ into the whole of a memory. */
  public SendRequest read(long id, Memory source, Memory sink) {
    return request
        .reset(id)
        .rdmaRead(source.address(), source.rkey())
        .segment(sink.region(), 0, sink.bytes().capacity())
        .signaled();
  }

  /** A signalled WRITE of the whole of a memory. */
  public SendRequest write(long id, Memory source, Memory target) {
    return request
        .reset(id)
        .rdmaWrite(target.address(), target.rkey())
        .segment(source.region(), 0, source.bytes().capacity())
        .signaled();
  }

  /** Posts a receive for the whole of a memory. */
  public void postReceive(long id, Memory memory) {
    queuePair.post(receive.reset(id).segment(memory.region(), 0, memory.bytes().capacity()));
  }

  /** Posts a receive without a segment. */
  public void postEmptyReceive(long id) {
    queuePair.post(receive.reset(id));
  }

  /** Posts a signalled SEND of the whole of a memory. */
  public void postSend(long id, Memory memory) {
    queuePair.post(
        request.reset(id).send().segment(memory.region(), 0, memory.bytes().capacity()).signaled());
  }

  /**
   * All completions of the send queue that are there now, each a copy. An empty queue gives the
   * fabric one turn.
   */
  public List<WorkCompletion> pollSends() {
    return poll(sendQueue);
  }

  /** All completions of the receive queue that are there now. */
  public List<WorkCompletion> pollReceives() {
    return poll(receiveQueue);
  }

  private List<WorkCompletion> poll(CompletionQueue queue) {
    List<WorkCompletion> polled = new ArrayList<>();
    int count = queue.poll(completions);
    for (int i = 0; i < count; i++) {
      polled.add(completions.get(i).copy());
    }
    return polled;
  }

  /** The types of all asynchronous events that wait, acknowledged. */
  public List<AsyncEventType> pollEvents() {
    List<AsyncEventType> types = new ArrayList<>();
    for (AsyncEvent event = context.pollAsyncEvent();
        event != null;
        event = context.pollAsyncEvent()) {
      types.add(event.type());
      event.acknowledge();
    }
    return types;
  }

  /** Moves the queue pair to ERR. */
  public void modifyToError() {
    queuePair.modify(QueuePairAttributes.to(QueuePairState.ERR).build());
  }

  public QueuePairState state() {
    return queuePair.state();
  }

  /** A memory and a fast registration region that maps the same bytes. */
  public record FastMemory(Memory memory, FastRegistrationRegion region) {
    public long address() {
      return region.address();
    }

    public int key() {
      return region.rkey();
    }
  }

  /** A buffer and the region over it. */
  public record Memory(ByteBuffer bytes, MemoryRegion region) {
    public long address() {
      return region.address();
    }

    public int rkey() {
      return region.rkey();
    }

    public int lkey() {
      return region.lkey();
    }

    /** The bytes from {@code from} to before {@code to}. */
    public byte[] slice(int from, int to) {
      byte[] copy = new byte[to - from];
      bytes.get(from, copy);
      return copy;
    }

    /** Fills all of it with one value. */
    public void fill(int value) {
      for (int i = 0; i < bytes.capacity(); i++) {
        bytes.put(i, (byte) value);
      }
    }
  }
}
