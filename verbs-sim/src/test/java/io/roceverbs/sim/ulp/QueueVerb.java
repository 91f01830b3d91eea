package io.roceverbs.sim.ulp;

import static io.roceverbs.sim.conformance.Outcomes.words;
import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.ConnectionSetup;
import io.roceverbs.sim.conformance.Pair;
import io.roceverbs.sim.conformance.Side;
import io.roceverbs.verbs.AccessFlag;
import io.roceverbs.verbs.AsyncEvent;
import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.CompletionChannel;
import io.roceverbs.verbs.CompletionField;
import io.roceverbs.verbs.CompletionFlag;
import io.roceverbs.verbs.CompletionOpcode;
import io.roceverbs.verbs.CompletionQueue;
import io.roceverbs.verbs.CompletionQueueInit;
import io.roceverbs.verbs.CompletionStatus;
import io.roceverbs.verbs.ExtendedCompletionQueue;
import io.roceverbs.verbs.MemoryWindow;
import io.roceverbs.verbs.MemoryWindowBinding;
import io.roceverbs.verbs.MemoryWindowType;
import io.roceverbs.verbs.QueuePair;
import io.roceverbs.verbs.QueuePairAttributes;
import io.roceverbs.verbs.QueuePairInit;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.ReceiveRequest;
import io.roceverbs.verbs.SendBatch;
import io.roceverbs.verbs.SendFlag;
import io.roceverbs.verbs.SendOperation;
import io.roceverbs.verbs.SharedReceiveQueue;
import io.roceverbs.verbs.WorkCompletion;
import java.util.List;

/** Verbs that post and poll, and that take events. */
enum QueueVerb implements Verb {
  POST_AND_POLL {
    @Override
    public void call(Pair pair) {
      pair.b.postReceive(1, pair.b.memory(8, 0));
      pair.a.postSend(2, pair.a.memory(8, 1));
      assertThat(pair.b.pollSends()).isEmpty();
    }

    @Override
    public void check(Pair pair) {
      assertThat(words(pair.b.pollReceives())).containsExactly("1 SUCCESS");
      assertThat(words(pair.a.pollSends())).containsExactly("2 SUCCESS");
    }
  },
  EACH_OPERATION {
    @Override
    public void call(Pair pair) {
      Side a = pair.a;
      Side.Memory local = a.memory(64, 1);
      Side.Memory remote = pair.b.memory(64, 0);
      for (int id = 1; id <= 4; id++) {
        pair.b.postReceive(id, pair.b.memory(64, 0));
      }
      Side.FastMemory taken = pair.b.fastMemory(64, 0);
      pair.b.postRegister(5, taken);
      long address = remote.address();
      int rkey = remote.rkey();
      a.postSend(1, local);
      a.queuePair.post(a.request.reset(2).sendWithImmediate(7).signaled());
      a.queuePair.post(a.request.reset(3).sendWithInvalidate(taken.key()).signaled());
      a.postWrite(4, local, 64, address, rkey);
      a.queuePair.post(a.request.reset(5).rdmaWriteWithImmediate(address, rkey, 7).signaled());
      a.postRead(6, local, 64, address, rkey);
      a.queuePair.post(
          a.request
              .reset(7)
              .compareAndSwap(address, rkey, 1, 2)
              .segment(local.region(), 0, 8)
              .signaled());
      a.queuePair.post(
          a.request
              .reset(8)
              .fetchAndAdd(address, rkey, 1)
              .segment(local.region(), 0, 8)
              .signaled());
      Side.FastMemory registered = a.fastMemory(64, 0);
      a.postRegister(9, registered);
      a.queuePair.post(a.request.reset(10).localInvalidate(registered.key()).signaled());
      MemoryWindow window = a.window(MemoryWindowType.TYPE_2);
      a.postBind(11, window, a.windowed(64, 0), 0, 64, AccessFlag.REMOTE_READ);
    }

    @Override
    public void check(Pair pair) {
      List<WorkCompletion> sent = pair.a.pollSends();
      assertThat(sent)
          .extracting(WorkCompletion::id)
          .containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L, 11L);
      assertThat(sent).allMatch(WorkCompletion::isSuccess);
      assertThat(words(pair.b.pollReceives()))
          .containsExactly("1 SUCCESS", "2 SUCCESS", "3 SUCCESS", "4 SUCCESS");
    }
  },
  BIND {
    @Override
    public void call(Pair pair) {
      MemoryWindow window = pair.a.domain.allocateMemoryWindow(MemoryWindowType.TYPE_1);
      int key = pair.a.queuePair.bind(window, 3, MemoryWindowBinding.NONE, SendFlag.SIGNALED);
      assertThat(window.rkey()).isEqualTo(key);
    }

    @Override
    public void check(Pair pair) {
      assertThat(words(pair.a.pollSends())).containsExactly("3 SUCCESS");
    }
  },
  BATCH {
    @Override
    public void call(Pair pair) {
      QueuePair sender =
          pair.a.domain.createQueuePair(
              QueuePairInit.reliableConnected(pair.a.sendQueue, 4, 4)
                  .withSendOperations(SendOperation.SEND));
      ConnectionSetup toItself = ConnectionSetup.standard();
      toItself.initialize(sender);
      toItself.readyToReceive(sender, pair.a.node.gid(), sender.number());
      toItself.readyToSend(sender);
      SendBatch batch = sender.createSendBatch();
      assertThat(batch.queuePair()).isSameAs(sender);
      batch.begin(1).send();
      batch.abort();
      assertThat(batch.size()).isZero();
      sender.post(new ReceiveRequest().reset(2));
      batch.begin(3).send().signaled();
      batch.complete();
      assertThat(batch.size()).isZero();
    }

    @Override
    public void check(Pair pair) {
      assertThat(words(pair.a.pollSends())).containsExactly("2 SUCCESS", "3 SUCCESS");
    }
  },
  FLUSH_AND_POLL {
    @Override
    public void call(Pair pair) {
      pair.a.postReceive(1, pair.a.memory(8, 0));
      pair.a.modifyToError();
      assertThat(words(pair.a.pollReceives())).containsExactly("1 WR_FLUSH_ERR");
    }
  },
  EXTENDED_POLL {
    @Override
    public void call(Pair pair) {
      ExtendedCompletionQueue queue =
          pair.a.context.createExtendedCompletionQueue(
              CompletionQueueInit.ofCapacity(4)
                  .withFields(
                      CompletionField.BYTE_LEN,
                      CompletionField.IMM,
                      CompletionField.QP_NUM,
                      CompletionField.SRC_QP,
                      CompletionField.SLID,
                      CompletionField.SL,
                      CompletionField.DLID_PATH_BITS,
                      CompletionField.COMPLETION_TIMESTAMP,
                      CompletionField.COMPLETION_TIMESTAMP_WALLCLOCK));
      assertThat(queue.startPoll()).isFalse();
      QueuePair queuePair =
          pair.a.domain.createQueuePair(QueuePairInit.reliableConnected(queue, 4, 4));
      WorkCompletion completion = new WorkCompletion();
      completion.setSuccess(1, queuePair.number(), CompletionOpcode.RECV, 5);
      completion.setImmediate(9);
      pair.a.node.faults().injectCompletion(queuePair, false, completion);
      completion.setSuccess(2, queuePair.number(), CompletionOpcode.RECV, 6);
      completion.setInvalidatedRkey(0x2301);
      pair.a.node.faults().injectCompletion(queuePair, false, completion);
      completion.setSuccess(3, queuePair.number(), CompletionOpcode.RECV, 47);
      completion.setDatagram(0x55);
      completion.setLocalRoute(7, 3, 1);
      pair.a.node.faults().injectCompletion(queuePair, false, completion);
      long nowNanos = pair.fabric.nanoTime();

      assertThat(queue.startPoll()).isTrue();
      assertThat(queue.id()).isEqualTo(1);
      assertThat(queue.status()).isEqualTo(CompletionStatus.SUCCESS);
      assertThat(queue.opcode()).isEqualTo(CompletionOpcode.RECV);
      assertThat(queue.vendorError()).isZero();
      assertThat(queue.detail()).isEmpty();
      assertThat(queue.flags()).isEqualTo(CompletionFlag.WITH_IMM.value());
      assertThat(queue.byteLength()).isEqualTo(5);
      assertThat(queue.immediate()).isEqualTo(9);
      assertThat(queue.queuePairNumber()).isEqualTo(queuePair.number());
      assertThat(queue.timestamp()).isBetween(0L, nowNanos);
      assertThat(queue.wallclockNanos()).isGreaterThanOrEqualTo(queue.timestamp());
      assertThat(queue.nextPoll()).isTrue();
      assertThat(queue.invalidatedRkey()).isEqualTo(0x2301);
      assertThat(queue.nextPoll()).isTrue();
      assertThat(queue.sourceQueuePairNumber()).isEqualTo(0x55);
      assertThat(queue.sourceLocalIdentifier()).isEqualTo(7);
      assertThat(queue.serviceLevel()).isEqualTo(3);
      assertThat(queue.localIdentifierPathBits()).isEqualTo(1);
      assertThat(queue.nextPoll()).isFalse();
      queue.endPoll();
      queuePair.close();
      queue.close();
    }
  },
  COMPLETION_EVENT {
    @Override
    public void call(Pair pair) {
      CompletionChannel channel = pair.a.context.createCompletionChannel();
      assertThat(channel.context()).isSameAs(pair.a.context);
      CompletionQueue queue =
          pair.a.context.createCompletionQueue(
              CompletionQueueInit.ofCapacity(4).withChannel(channel));
      assertThat(queue.requestNotification(false)).isFalse();
      QueuePair queuePair =
          pair.a.domain.createQueuePair(QueuePairInit.reliableConnected(queue, 2, 2));
      ConnectionSetup.standard().initialize(queuePair);
      queuePair.modify(QueuePairAttributes.to(QueuePairState.ERR).build());
      queuePair.post(new ReceiveRequest().reset(1));
      assertThat(channel.pollEvent()).isSameAs(queue);
      assertThat(queue.requestNotification(false)).isTrue();
      queuePair.post(new ReceiveRequest().reset(2));
      assertThat(channel.awaitEvent()).isSameAs(queue);
      queue.acknowledgeEvents(2);
      queuePair.close();
      queue.close();
      channel.close();
      assertThat(channel.isOpen()).isFalse();
    }
  },
  ASYNC_EVENT {
    @Override
    public void call(Pair pair) {
      SharedReceiveQueue shared = pair.a.domain.createSharedReceiveQueue(1, 1);
      pair.a.node.faults().injectEvent(AsyncEventType.CQ_ERR, pair.a.sendQueue);
      pair.a.node.faults().injectEvent(AsyncEventType.PATH_MIG, pair.a.queuePair);
      pair.a.node.faults().injectEvent(AsyncEventType.SRQ_ERR, shared);
      pair.a.node.faults().injectEvent(AsyncEventType.SM_CHANGE);
      AsyncEvent ofQueue = pair.a.context.getAsyncEvent();
      assertThat(ofQueue.type()).isEqualTo(AsyncEventType.CQ_ERR);
      assertThat(ofQueue.device()).isSameAs(pair.a.node.device());
      assertThat(ofQueue.completionQueue()).isSameAs(pair.a.sendQueue);
      ofQueue.acknowledge();
      AsyncEvent ofQueuePair = pair.a.context.getAsyncEvent();
      assertThat(ofQueuePair.queuePair()).isSameAs(pair.a.queuePair);
      ofQueuePair.acknowledge();
      AsyncEvent ofShared = pair.a.context.getAsyncEvent();
      assertThat(ofShared.sharedReceiveQueue()).isSameAs(shared);
      ofShared.acknowledge();
      AsyncEvent ofPort = pair.a.context.pollAsyncEvent();
      assertThat(ofPort).isNotNull();
      assertThat(ofPort.port()).isEqualTo(1);
      ofPort.acknowledge();
      shared.close();
    }
  }
}
