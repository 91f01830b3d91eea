package io.roceverbs.sim.device;

import io.roceverbs.sim.qp.QueuePairEngine;
import io.roceverbs.sim.qp.ReceiveWork;
import io.roceverbs.sim.qp.SlotCount;
import io.roceverbs.verbs.PostException;
import io.roceverbs.verbs.ReceiveRequest;
import org.jspecify.annotations.Nullable;

/** The way of receives into the queue that a queue pair has for itself. */
final class OwnReceives extends ReceivePosts {
  private final SimQueuePair queuePair;
  private final QueuePairEngine engine;
  private final PostChecks checks;

  OwnReceives(SimQueuePair queuePair, QueuePairEngine engine, PostChecks checks) {
    super(queuePair.device(), SimQueuePair.POST, queuePair.number(), checks.maxReceiveRequests());
    this.queuePair = queuePair;
    this.engine = engine;
    this.checks = checks;
  }

  @Override
  void requireOpen(String call) {
    queuePair.requireOpen(call);
  }

  @Override
  void begin(String call) {
    queuePair.begin(call);
  }

  @Override
  void check(ReceiveRequest request, int index) {
    checks.checkReceive(engine, request, index);
  }

  @Override
  PostException full(ReceiveRequest request, int index) {
    return checks.receiveQueueFull(request, index);
  }

  @Override
  SlotCount slots() {
    return engine.receiveSlots();
  }

  @Override
  ReceiveWork next() {
    return engine.nextReceive();
  }

  @Override
  @Nullable ReceiveWork exchange(ReceiveWork filled) {
    return engine.exchangeReceive(filled);
  }

  @Override
  void push(long nowNanos) {
    engine.postReceive(nowNanos);
  }

  @Override
  void wake() {
    queuePair.wake();
  }

  @Override
  protected void takePosted() {
    queuePair.takePosted(this);
  }
}
