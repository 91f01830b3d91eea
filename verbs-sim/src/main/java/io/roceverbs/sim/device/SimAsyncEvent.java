package io.roceverbs.sim.device;

import io.roceverbs.verbs.AsyncEvent;
import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.CompletionQueue;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.QueuePair;
import io.roceverbs.verbs.SharedReceiveQueue;
import io.roceverbs.verbs.VerbsException;
import org.jspecify.annotations.Nullable;

/** An asynchronous event of a queue pair or of a completion queue. */
final class SimAsyncEvent implements AsyncEvent {
  private final AsyncEventType type;
  private final EventSource source;
  private final DeviceHost host;
  private final @Nullable QueuePair queuePair;
  private final @Nullable CompletionQueue completionQueue;
  private final @Nullable SharedReceiveQueue sharedReceiveQueue;
  private boolean acknowledged;

  SimAsyncEvent(
      AsyncEventType type,
      EventSource source,
      DeviceHost host,
      @Nullable QueuePair queuePair,
      @Nullable CompletionQueue completionQueue) {
    this(type, source, host, queuePair, completionQueue, null);
  }

  private SimAsyncEvent(
      AsyncEventType type,
      EventSource source,
      DeviceHost host,
      @Nullable QueuePair queuePair,
      @Nullable CompletionQueue completionQueue,
      @Nullable SharedReceiveQueue sharedReceiveQueue) {
    this.type = type;
    this.source = source;
    this.host = host;
    this.queuePair = queuePair;
    this.completionQueue = completionQueue;
    this.sharedReceiveQueue = sharedReceiveQueue;
  }

  static SimAsyncEvent of(
      AsyncEventType type, EventSource source, DeviceHost host, SharedReceiveQueue queue) {
    return new SimAsyncEvent(type, source, host, null, null, queue);
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
    return 0;
  }

  @Override
  public void acknowledge() {
    host.enter();
    try {
      if (acknowledged) {
        throw new VerbsException(
            Errno.EINVAL,
            "AsyncEvent.acknowledge",
            "this " + type + " was acknowledged before; each event is acknowledged once");
      }
      acknowledged = true;
      source.acknowledge("AsyncEvent.acknowledge", 1);
    } finally {
      host.exit();
    }
  }

  @Override
  public String toString() {
    Object element = queuePair != null ? queuePair : completionQueue;
    return type + " of " + (element != null ? element : sharedReceiveQueue);
  }
}
