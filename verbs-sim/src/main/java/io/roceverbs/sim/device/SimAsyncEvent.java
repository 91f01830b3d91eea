package io.roceverbs.sim.device;

import io.roceverbs.verbs.AsyncEvent;
import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.CompletionQueue;
import io.roceverbs.verbs.Device;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.QueuePair;
import io.roceverbs.verbs.SharedReceiveQueue;
import io.roceverbs.verbs.VerbsException;
import org.jspecify.annotations.Nullable;

/** An asynchronous event: of a queue, of a queue pair, of the port, or of the whole device. */
final class SimAsyncEvent implements AsyncEvent {
  private static final int NO_PORT = 0;

  private final AsyncEventType type;
  private final EventSource source;
  private final SimDevice device;
  private final @Nullable QueuePair queuePair;
  private final @Nullable SimCompletionQueue completionQueue;
  private final @Nullable SimSharedReceiveQueue sharedReceiveQueue;
  private final int port;
  private boolean acknowledged;

  private SimAsyncEvent(
      AsyncEventType type,
      EventSource source,
      SimDevice device,
      @Nullable QueuePair queuePair,
      @Nullable SimCompletionQueue completionQueue,
      @Nullable SimSharedReceiveQueue sharedReceiveQueue,
      int port) {
    this.type = type;
    this.source = source;
    this.device = device;
    this.queuePair = queuePair;
    this.completionQueue = completionQueue;
    this.sharedReceiveQueue = sharedReceiveQueue;
    this.port = port;
  }

  static SimAsyncEvent of(
      QueuePair queuePair, SimDevice device, EventSource source, AsyncEventType type) {
    return new SimAsyncEvent(type, source, device, queuePair, null, null, NO_PORT);
  }

  static SimAsyncEvent of(SimCompletionQueue queue, EventSource source, AsyncEventType type) {
    return new SimAsyncEvent(type, source, queue.device(), null, queue, null, NO_PORT);
  }

  static SimAsyncEvent of(SimSharedReceiveQueue queue, EventSource source, AsyncEventType type) {
    return new SimAsyncEvent(type, source, queue.device(), null, null, queue, NO_PORT);
  }

  /** An event of a port or of the whole device: nothing is destroyed that could wait for it. */
  static SimAsyncEvent of(SimDevice device, AsyncEventType type, int portNumber) {
    int port = type.element() == AsyncEventType.Element.PORT ? portNumber : NO_PORT;
    return new SimAsyncEvent(type, EventSource.ofAsyncEvents(), device, null, null, null, port);
  }

  EventSource source() {
    return source;
  }

  void fetched() {
    source.taken();
  }

  @Override
  public AsyncEventType type() {
    return type;
  }

  @Override
  public Device device() {
    return device;
  }

  @Override
  public @Nullable QueuePair queuePair() {
    return queuePair;
  }

  @Override
  public @Nullable CompletionQueue completionQueue() {
    return completionQueue;
  }

  @Override
  public @Nullable SharedReceiveQueue sharedReceiveQueue() {
    return sharedReceiveQueue;
  }

  @Override
  public int port() {
    return port;
  }

  /** The number of the queue pair that it concerns, or 0. */
  int queuePairNumber() {
    return queuePair == null ? 0 : queuePair.number();
  }

  @Override
  public void acknowledge() {
    device.host().enter();
    try {
      if (acknowledged) {
        throw new VerbsException(
            Errno.EINVAL,
            "AsyncEvent.acknowledge",
            "this " + type + " was acknowledged before; each event is acknowledged once");
      }
      acknowledged = true;
      source.acknowledge("AsyncEvent.acknowledge", 1);
      device.host().signalChange();
    } finally {
      device.host().exit();
    }
  }

  private Object element() {
    if (queuePair != null) {
      return queuePair;
    }
    if (completionQueue != null) {
      return completionQueue;
    }
    if (sharedReceiveQueue != null) {
      return sharedReceiveQueue;
    }
    return port == NO_PORT ? device.name() : "port " + port + " of " + device.name();
  }

  @Override
  public String toString() {
    return type + " of " + element();
  }
}
