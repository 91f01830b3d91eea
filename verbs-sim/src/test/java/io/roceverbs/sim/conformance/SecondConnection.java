package io.roceverbs.sim.conformance;

import io.roceverbs.sim.ConnectionSetup;
import io.roceverbs.verbs.CompletionQueue;
import io.roceverbs.verbs.ProtectionDomain;
import io.roceverbs.verbs.QueuePair;
import io.roceverbs.verbs.QueuePairInit;
import io.roceverbs.verbs.SendRequest;
import io.roceverbs.verbs.WorkCompletion;
import io.roceverbs.verbs.WorkCompletions;
import java.util.ArrayList;
import java.util.List;

/**
 * A second connection between the two sides of a {@link Pair}, with completion queues of its own.
 */
final class SecondConnection {
  final End a;
  final End b;

  /** Another queue pair of the domains of the sides. */
  SecondConnection(Pair pair) {
    this(pair, pair.a.domain, pair.b.domain);
  }

  /** Another queue pair of given domains. */
  SecondConnection(Pair pair, ProtectionDomain domainOfA, ProtectionDomain domainOfB) {
    a = new End(domainOfA);
    b = new End(domainOfB);
    ConnectionSetup setup = Pair.setup();
    setup.initialize(a.queuePair);
    setup.initialize(b.queuePair);
    setup.readyToReceive(a.queuePair, pair.b.node.gid(), b.queuePair.number());
    setup.readyToReceive(b.queuePair, pair.a.node.gid(), a.queuePair.number());
    setup.readyToSend(a.queuePair);
    setup.readyToSend(b.queuePair);
  }

  /** One end of it. */
  static final class End {
    final QueuePair queuePair;
    final SendRequest request = new SendRequest();
    private final CompletionQueue queue;
    private final WorkCompletions completions = new WorkCompletions(16);

    End(ProtectionDomain domain) {
      queue = domain.context().createCompletionQueue(64);
      queuePair = domain.createQueuePair(QueuePairInit.reliableConnected(queue, 16, 16));
    }

    /** All completions that are there now, as id and status. */
    List<String> poll() {
      List<String> words = new ArrayList<>();
      int count = queue.poll(completions);
      for (int i = 0; i < count; i++) {
        WorkCompletion completion = completions.get(i);
        words.add(completion.id() + " " + completion.status());
      }
      return words;
    }
  }
}
