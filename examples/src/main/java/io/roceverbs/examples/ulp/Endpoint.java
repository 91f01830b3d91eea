package io.roceverbs.examples.ulp;

import io.roceverbs.verbs.AccessFlag;
import io.roceverbs.verbs.AddressHandle;
import io.roceverbs.verbs.AddressVector;
import io.roceverbs.verbs.CompletionQueue;
import io.roceverbs.verbs.Device;
import io.roceverbs.verbs.DeviceContext;
import io.roceverbs.verbs.Gid;
import io.roceverbs.verbs.MemoryRegion;
import io.roceverbs.verbs.ProtectionDomain;
import io.roceverbs.verbs.QueuePair;
import io.roceverbs.verbs.QueuePairInit;
import io.roceverbs.verbs.ReceiveRequest;
import io.roceverbs.verbs.SendRequest;
import io.roceverbs.verbs.SharedReceiveQueue;
import io.roceverbs.verbs.WorkCompletion;
import io.roceverbs.verbs.WorkCompletions;
import io.roceverbs.verbs.XrcDomain;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One end of a connection: a queue pair with one completion queue for both directions, and a row of
 * receive buffers.
 *
 * <p>An error completion does not say whether it is of a send or of a receive, so the ids do:
 * receives have {@link #FIRST_RECEIVE_ID} and above, sends the numbers below.
 *
 * <p>Not thread-safe.
 */
public final class Endpoint implements AutoCloseable {
  /** Id of the first receive; that of the next one is one higher. */
  public static final long FIRST_RECEIVE_ID = 101;

  private static final int COMPLETIONS_PER_POLL = 16;

  private final DeviceContext context;
  private final ProtectionDomain domain;
  private final CompletionQueue completionQueue;
  private final Transport transport;
  private final @Nullable XrcDomain xrcDomain;
  private final @Nullable SharedReceiveQueue shared;
  private final QueuePair queuePair;
  private final @Nullable QueuePair target;
  private final int receives;
  private final int receiveBytes;
  private final ByteBuffer receiveMemory;
  private final MemoryRegion receiveRegion;
  private final ReceiveRequest receive = new ReceiveRequest();
  private final WorkCompletions completions = new WorkCompletions(COMPLETIONS_PER_POLL);

  /** Hears of completions, in the order in which they are polled. */
  public interface Handler {
    /** A send request is over, well or not. The entry is valid until the return. */
    void sent(WorkCompletion completion);

    /**
     * A message has come. Its buffer belongs to the handler until it is {@linkplain #repost given
     * back}.
     *
     * @param completion the receive's completion, a success; valid until the return
     * @param message the bytes of the message, from position 0 to limit
     */
    void received(WorkCompletion completion, ByteBuffer message);

    /** A receive failed or was flushed. The entry is valid until the return. */
    void receiveFailed(WorkCompletion completion);
  }

  /** Where datagrams go; null for an endpoint that is connected, or not yet told. */
  private @Nullable AddressHandle peer;

  private int peerNumber;
  private int peerKey;

  /** The shared receive queue that an extended connection sends to. */
  private int peerQueueNumber;

  /**
   * Opens a device and makes everything on it, for RC. The queue pair is in RESET.
   *
   * @param device the device
   * @param sends send requests that can be outstanding
   * @param receives receive buffers
   * @param receiveBytes length of each
   */
  public Endpoint(Device device, int sends, int receives, int receiveBytes) {
    this(device, Transport.RC, sends, receives, receiveBytes);
  }

  /**
   * Opens a device and makes everything on it. The queue pair is in RESET.
   *
   * @param device the device
   * @param transport the service
   * @param sends send requests that can be outstanding
   * @param receives receive buffers
   * @param receiveBytes length of each
   */
  public Endpoint(Device device, Transport transport, int sends, int receives, int receiveBytes) {
    this.transport = transport;
    this.receives = receives;
    this.receiveBytes = transport.headerBytes() + receiveBytes;
    this.context = device.open();
    this.domain = context.allocateProtectionDomain();
    this.completionQueue = context.createCompletionQueue(sends + receives);
    this.xrcDomain = transport.isExtended() ? context.openXrcDomain() : null;
    this.shared = createSharedReceiveQueue();
    this.queuePair = domain.createQueuePair(init(sends));
    this.target = xrcDomain == null ? null : xrcDomain.createTargetQueuePair();
    this.receiveMemory = ByteBuffer.allocate(receives * this.receiveBytes);
    this.receiveRegion = domain.registerMemory(receiveMemory, AccessFlag.LOCAL_WRITE);
  }

  private @Nullable SharedReceiveQueue createSharedReceiveQueue() {
    if (xrcDomain != null) {
      return domain.createXrcSharedReceiveQueue(xrcDomain, completionQueue, receives, 1);
    }
    return transport.isShared() ? domain.createSharedReceiveQueue(receives, 1) : null;
  }

  private QueuePairInit init(int sends) {
    if (transport.isExtended()) {
      return QueuePairInit.xrcInitiator(completionQueue, sends);
    }
    QueuePairInit init =
        QueuePairInit.reliableConnected(completionQueue, sends, receives)
            .withType(transport.type());
    return shared == null ? init : init.withSharedReceiveQueue(shared);
  }

  /** The queue pair that sends, to be connected by whoever knows the peer. */
  public QueuePair queuePair() {
    return queuePair;
  }

  /** The queue pair that receives: the same one, but for an extended connection. */
  public QueuePair receivingQueuePair() {
    return target == null ? queuePair : target;
  }

  /** Says where an extended connection sends to: the peer's shared receive queue. */
  public void peer(Endpoint other) {
    peerQueueNumber = Objects.requireNonNull(other.shared).number();
  }

  /** The domain in which the memory of sends is registered. */
  public ProtectionDomain domain() {
    return domain;
  }

  /**
   * Says where datagrams go.
   *
   * @param gid the address of the peer
   * @param number the number of its queue pair
   * @param key the Q_Key of its queue pair
   */
  public void peer(Gid gid, int number, int key) {
    peer = domain.createAddressHandle(AddressVector.to(gid));
    peerNumber = number;
    peerKey = key;
  }

  /** Posts all receives. The queue pair must have left RESET. */
  public void postReceives() {
    for (int slot = 0; slot < receives; slot++) {
      repost(FIRST_RECEIVE_ID + slot);
    }
  }

  /** Posts the receive with this id once more; its buffer belongs to the adapter again. */
  public void repost(long id) {
    receive.reset(id).segment(receiveRegion, (long) slot(id) * receiveBytes, receiveBytes);
    if (shared == null) {
      queuePair.post(receive);
    } else {
      shared.post(receive);
    }
  }

  /** Posts a send request; a datagram, or one of an extended connection, is told its way. */
  public void post(SendRequest request) {
    if (peer != null) {
      request.to(peer, peerNumber, peerKey);
    }
    if (target != null) {
      request.toSharedReceiveQueue(peerQueueNumber);
    }
    queuePair.post(request);
  }

  /**
   * Polls once and hands on what came.
   *
   * @return whether anything came
   */
  public boolean poll(Handler handler) {
    int count = completionQueue.poll(completions);
    for (int i = 0; i < count; i++) {
      dispatch(completions.get(i), handler);
    }
    return count > 0;
  }

  private void dispatch(WorkCompletion completion, Handler handler) {
    if (completion.id() < FIRST_RECEIVE_ID) {
      handler.sent(completion);
    } else if (completion.isSuccess()) {
      int start = slot(completion.id()) * receiveBytes;
      int header = transport.headerBytes();
      handler.received(
          completion, receiveMemory.slice(start + header, completion.byteLength() - header));
    } else {
      handler.receiveFailed(completion);
    }
  }

  private static int slot(long id) {
    return (int) (id - FIRST_RECEIVE_ID);
  }

  /** Gives everything back, children first. What was registered by others must be closed before. */
  @Override
  public void close() {
    queuePair.close();
    if (target != null) {
      target.close();
    }
    if (shared != null) {
      shared.close();
    }
    if (xrcDomain != null) {
      xrcDomain.close();
    }
    if (peer != null) {
      peer.close();
    }
    receiveRegion.close();
    completionQueue.close();
    domain.close();
    context.close();
  }
}
