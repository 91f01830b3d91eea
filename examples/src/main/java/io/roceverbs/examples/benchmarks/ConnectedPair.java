package io.roceverbs.examples.benchmarks;

import io.roceverbs.sim.ConnectionSetup;
import io.roceverbs.sim.Fabric;
import io.roceverbs.sim.Node;
import io.roceverbs.verbs.AccessFlag;
import io.roceverbs.verbs.CompletionQueue;
import io.roceverbs.verbs.MemoryRegion;
import io.roceverbs.verbs.PathMtu;
import io.roceverbs.verbs.ProtectionDomain;
import io.roceverbs.verbs.QueuePair;
import io.roceverbs.verbs.QueuePairInit;
import io.roceverbs.verbs.ReceiveRequest;
import io.roceverbs.verbs.SendRequest;
import io.roceverbs.verbs.WorkCompletions;
import java.nio.ByteBuffer;

/**
 * Two nodes with a connected queue pair each, and a stream of SENDs from the first to the second.
 */
final class ConnectedPair implements AutoCloseable {
  /** Messages that the stream keeps in flight. */
  static final int WINDOW = 32;

  private static final int QUEUE_ENTRIES = 64;

  private final Fabric fabric = Fabric.create();
  private final Node sender = fabric.addNode("sender");
  private final Node receiver = fabric.addNode("receiver");
  private final CompletionQueue sendCompletions;
  private final CompletionQueue receiveCompletions;
  private final QueuePair from;
  private final QueuePair to;
  private final MemoryRegion source;
  private final MemoryRegion target;
  private final SendRequest send = new SendRequest();
  private final ReceiveRequest receive = new ReceiveRequest();
  private final WorkCompletions polled = new WorkCompletions(QUEUE_ENTRIES);
  private final int messageBytes;
  private int inFlight;
  private long completed;

  ConnectedPair(int messageBytes) {
    this.messageBytes = messageBytes;
    ProtectionDomain senderDomain = sender.device().open().allocateProtectionDomain();
    ProtectionDomain receiverDomain = receiver.device().open().allocateProtectionDomain();
    sendCompletions = senderDomain.context().createCompletionQueue(2 * QUEUE_ENTRIES);
    receiveCompletions = receiverDomain.context().createCompletionQueue(2 * QUEUE_ENTRIES);
    from =
        senderDomain.createQueuePair(
            QueuePairInit.reliableConnected(sendCompletions, QUEUE_ENTRIES, QUEUE_ENTRIES));
    to =
        receiverDomain.createQueuePair(
            QueuePairInit.reliableConnected(receiveCompletions, QUEUE_ENTRIES, QUEUE_ENTRIES));
    ConnectionSetup.standard().withPathMtu(PathMtu.MTU_1024).connect(from, to);
    source = senderDomain.registerMemory(ByteBuffer.allocate(messageBytes), AccessFlag.LOCAL_WRITE);
    target =
        receiverDomain.registerMemory(ByteBuffer.allocate(messageBytes), AccessFlag.LOCAL_WRITE);
    for (int i = 0; i < QUEUE_ENTRIES; i++) {
      postReceive();
    }
  }

  private void postReceive() {
    to.post(receive.reset(0).segment(target, 0, messageBytes));
  }

  /** Sends until one more message is complete at the sender. */
  void completeOneSend() {
    while (inFlight < WINDOW) {
      from.post(send.reset(0).send().segment(source, 0, messageBytes).signaled());
      inFlight++;
    }
    int sent = 0;
    while (sent == 0) {
      for (int i = receiveCompletions.poll(polled); i > 0; i--) {
        postReceive();
      }
      sent = sendCompletions.poll(polled);
    }
    polled.get(0).requireSuccess();
    inFlight -= sent;
    completed += sent;
  }

  /**
   * Sends one message, with nothing else in flight, and polls until both sides have completed it.
   */
  void completeOneMessage() {
    from.post(send.reset(0).send().segment(source, 0, messageBytes).signaled());
    int received = 0;
    int sent = 0;
    while (received == 0 || sent == 0) {
      received += receiveCompletions.poll(polled);
      sent += sendCompletions.poll(polled);
    }
    postReceive();
    completed++;
  }

  /** Messages completed at the sender so far. */
  long completed() {
    return completed;
  }

  /** Packets sent by both sides so far, acknowledgements included. */
  long packets() {
    return sender.transport().requestPackets() + receiver.transport().responsePackets();
  }

  @Override
  public void close() {
    fabric.close();
  }
}
