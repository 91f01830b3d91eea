package consumer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.roceverbs.sim.ConnectionSetup;
import io.roceverbs.sim.Fabric;
import io.roceverbs.sim.fabric.impair.Rule;
import io.roceverbs.verbs.AccessFlag;
import io.roceverbs.verbs.CompletionOpcode;
import io.roceverbs.verbs.CompletionQueue;
import io.roceverbs.verbs.CompletionStatus;
import io.roceverbs.verbs.QueuePairInit;
import io.roceverbs.verbs.ReceiveRequest;
import io.roceverbs.verbs.SendRequest;
import io.roceverbs.verbs.WorkCompletion;
import io.roceverbs.verbs.WorkCompletions;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(5)
class LostAckTest {
  @ParameterizedTest
  @CsvSource({"careless, LOC_PROT_ERR", "careful, SUCCESS"})
  void aReplyIsNoProofThatTheSendIsOver(String ulp, CompletionStatus sendStatus) {
    try (Fabric fabric = Fabric.create()) {
      var client = fabric.addNode("client").device().open().allocateProtectionDomain();
      var server = fabric.addNode("server").device().open().allocateProtectionDomain();
      var clientQueue = client.context().createCompletionQueue(8);
      var serverQueue = server.context().createCompletionQueue(8);
      var clientPair = client.createQueuePair(QueuePairInit.reliableConnected(clientQueue, 4, 4));
      var serverPair = server.createQueuePair(QueuePairInit.reliableConnected(serverQueue, 4, 4));
      ConnectionSetup.standard().connect(clientPair, serverPair);
      var clientMemory = client.registerMemory(ByteBuffer.allocate(128), AccessFlag.LOCAL_WRITE);
      var serverMemory = server.registerMemory(ByteBuffer.allocate(128), AccessFlag.LOCAL_WRITE);
      clientPair.post(new ReceiveRequest().reset(1).segment(clientMemory, 64, 64));
      serverPair.post(new ReceiveRequest().reset(1).segment(serverMemory, 64, 64));
      fabric.impair(Rule.parse("drop:server>client/ACK#1"));

      clientPair.post(new SendRequest().reset(2).send().segment(clientMemory, 0, 64).signaled());
      assertEquals(CompletionOpcode.RECV, poll(serverQueue).opcode());
      serverPair.post(new SendRequest().reset(2).send().segment(serverMemory, 0, 64).signaled());
      assertEquals(CompletionOpcode.RECV, poll(clientQueue).opcode());
      if (ulp.equals("careless")) {
        clientMemory.close(); // "The reply is here, so the request is over." It is not.
      }
      assertEquals(sendStatus, poll(clientQueue).status()); // after one ACK timeout, 67 ms
    }
  }

  private static WorkCompletion poll(CompletionQueue queue) {
    WorkCompletions polled = new WorkCompletions(1);
    while (queue.poll(polled) == 0) {} // virtual time passes here
    return polled.get(0);
  }
}
