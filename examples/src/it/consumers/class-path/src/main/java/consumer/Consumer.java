package consumer;

import io.roceverbs.sim.ConnectionSetup;
import io.roceverbs.sim.Fabric;
import io.roceverbs.sim.Node;
import io.roceverbs.sim.fabric.impair.ActiveRule;
import io.roceverbs.sim.fabric.impair.Rule;
import io.roceverbs.verbs.AccessFlag;
import io.roceverbs.verbs.CompletionOpcode;
import io.roceverbs.verbs.CompletionQueue;
import io.roceverbs.verbs.CompletionStatus;
import io.roceverbs.verbs.DeviceContext;
import io.roceverbs.verbs.MemoryRegion;
import io.roceverbs.verbs.ProtectionDomain;
import io.roceverbs.verbs.QueuePair;
import io.roceverbs.verbs.QueuePairInit;
import io.roceverbs.verbs.ReceiveRequest;
import io.roceverbs.verbs.SendRequest;
import io.roceverbs.verbs.WorkCompletion;
import io.roceverbs.verbs.WorkCompletions;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** A user's program on the class path, with neither JUnit nor AssertJ there. */
public final class Consumer {
  private static final byte[] MESSAGE = "one message".getBytes(StandardCharsets.US_ASCII);

  /** The message and its ACK take 10 us each, and the ACK timeout is 4096 ns times 2^14. */
  private static final long SENT_AGAIN_NANOS = 10_000 + 10_000 + (4_096L << 14);

  private Consumer() {}

  public static void main(String[] arguments) {
    Module module = Fabric.class.getModule();
    check(!module.isNamed(), "not on the class path: " + module);
    try (Fabric fabric = Fabric.create()) {
      Node alice = fabric.addNode("alice");
      Node bob = fabric.addNode("bob");
      try (Side sender = new Side(alice);
          Side receiver = new Side(bob);
          ActiveRule rule = fabric.impair(Rule.parse("drop:bob>alice/ACK#1"))) {
        sendOneMessage(fabric, sender, receiver);
        check(rule.hits() == 1, "the rule dropped " + rule.hits() + " packets, not 1");
      }
      long again = alice.transport().retransmittedPackets();
      check(again == 1, again + " packets were sent again, not 1");
    }
    System.out.println("verbs and simulator work on the class path");
  }

  private static void sendOneMessage(Fabric fabric, Side sender, Side receiver) {
    ConnectionSetup.standard().connect(sender.queuePair, receiver.queuePair);
    receiver.queuePair.post(new ReceiveRequest().reset(1).segment(receiver.memory, 0, 64));
    sender.buffer.put(0, MESSAGE);
    sender.queuePair.post(
        new SendRequest().reset(2).send().segment(sender.memory, 0, MESSAGE.length).signaled());

    WorkCompletion received = receiver.poll();
    check(received.id() == 1 && received.opcode() == CompletionOpcode.RECV, received.toString());
    check(received.byteLength() == MESSAGE.length, received.toString());
    ByteBuffer message = receiver.buffer.slice(0, MESSAGE.length);
    check(message.equals(ByteBuffer.wrap(MESSAGE)), "another message came");
    check(fabric.nanoTime() == 10_000, "received at " + fabric.nanoTime() + " ns");

    WorkCompletion sent = sender.poll();
    check(sent.id() == 2 && sent.status() == CompletionStatus.SUCCESS, sent.toString());
    check(fabric.nanoTime() == SENT_AGAIN_NANOS, "sent at " + fabric.nanoTime() + " ns");
  }

  private static void check(boolean holds, String text) {
    if (!holds) {
      throw new AssertionError(text);
    }
  }

  /** The verbs objects of one node. */
  private static final class Side implements AutoCloseable {
    final ByteBuffer buffer = ByteBuffer.allocateDirect(64);
    final DeviceContext context;
    final ProtectionDomain domain;
    final CompletionQueue completions;
    final QueuePair queuePair;
    final MemoryRegion memory;

    Side(Node node) {
      context = node.device().open();
      domain = context.allocateProtectionDomain();
      completions = context.createCompletionQueue(4);
      queuePair = domain.createQueuePair(QueuePairInit.reliableConnected(completions, 2, 2));
      memory = domain.registerMemory(buffer, AccessFlag.LOCAL_WRITE);
    }

    WorkCompletion poll() {
      WorkCompletions polled = new WorkCompletions(1);
      while (completions.poll(polled) == 0) {
        Thread.onSpinWait();
      }
      return polled.get(0).requireSuccess();
    }

    @Override
    public void close() {
      memory.close();
      queuePair.close();
      completions.close();
      domain.close();
      context.close();
    }
  }
}
