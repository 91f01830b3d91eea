package io.roceverbs.sim.device;

import io.roceverbs.sim.qp.QueuePairEngine;
import io.roceverbs.sim.qp.SendWork;
import io.roceverbs.verbs.MemoryWindow;
import io.roceverbs.verbs.MemoryWindowBinding;
import io.roceverbs.verbs.SendFlag;
import io.roceverbs.verbs.SendRequest;
import org.jspecify.annotations.Nullable;

/** The posts of sends to a queue pair: one by one, in batches, and the binds of windows. */
final class SendPosts extends Posts<SendWork> {
  private final SimQueuePair queuePair;
  private final QueuePairEngine engine;
  private final PostChecks checks;

  SendPosts(SimQueuePair queuePair, QueuePairEngine engine, PostChecks checks) {
    super(
        queuePair.device(),
        SimQueuePair.POST,
        true,
        queuePair.number(),
        checks.maxSendRequests(),
        SendWork::new);
    this.queuePair = queuePair;
    this.engine = engine;
    this.checks = checks;
  }

  PostChecks checks() {
    return checks;
  }

  void post(SendRequest first) {
    if (mayStayOutside() && !checks.needTables(first)) {
      postAllOutside(first);
    } else {
      postAllInside(first);
    }
  }

  private void postAllInside(SendRequest first) {
    device().host().enter();
    try {
      queuePair.begin(call());
      long nowNanos = device().host().nanoTime();
      int index = 0;
      try {
        for (SendRequest request = first; request != null; request = request.next()) {
          checks.checkSend(engine, request, index);
          requireNoFault(index, request.id());
          claim(request, index);
          take(nowNanos, request);
          index++;
        }
      } finally {
        device().host().activity().countCall();
        queuePair.wake();
      }
    } finally {
      device().host().exit();
    }
  }

  private void postAllOutside(SendRequest first) {
    queuePair.requireOpen(call());
    SendWork head = null;
    SendWork last = null;
    int index = 0;
    try {
      for (SendRequest request = first; request != null; request = request.next()) {
        checks.checkSend(engine, request, index);
        claim(request, index);
        SendWork work = blank();
        fill(request, work);
        last = link(last, work);
        head = head == null ? work : head;
        index++;
      }
    } finally {
      // Of a list that fails in the middle, what comes before is posted.
      if (head != null) {
        postOutside(head);
      }
    }
  }

  /** Posts all requests of a batch, or none. */
  void post(SimSendBatch batch) {
    if (batch.size() > 0 && mayStayOutside() && !checks.needTables(batch)) {
      postOutside(batch);
    } else {
      postInside(batch);
    }
  }

  private void postInside(SimSendBatch batch) {
    device().host().enter();
    try {
      queuePair.begin(BatchChecks.COMPLETE);
      device().host().activity().countCall();
      checks.batch().check(engine, batch);
      requireNoFault(batch);
      checks.batch().claim(engine, batch);
      long nowNanos = device().host().nanoTime();
      int taken = 0;
      try {
        while (taken < batch.size()) {
          SendRequest request = batch.request(taken);
          checks.copy(request, engine.nextSend());
          taken++;
          enqueue(nowNanos, request);
        }
      } finally {
        engine.sendSlots().unclaim(batch.size() - taken);
        queuePair.wake();
      }
    } finally {
      device().host().exit();
    }
  }

  private void postOutside(SimSendBatch batch) {
    queuePair.requireOpen(BatchChecks.COMPLETE);
    checks.batch().check(engine, batch);
    checks.batch().claim(engine, batch);
    boolean isPosted = false;
    try {
      SendWork head = blank();
      checks.copy(batch.request(0), head);
      SendWork last = head;
      for (int i = 1; i < batch.size(); i++) {
        SendWork work = blank();
        checks.copy(batch.request(i), work);
        last = link(last, work);
      }
      isPosted = true;
      postOutside(head);
    } finally {
      if (!isPosted) {
        engine.sendSlots().unclaim(batch.size());
      }
    }
  }

  int bind(MemoryWindow window, long id, MemoryWindowBinding binding, SendFlag... flags) {
    device().host().enter();
    try {
      queuePair.begin("QueuePair.bind");
      SendRequest request = WindowChecks.typeOneRequest(device(), window, id, binding, flags);
      checks.checkBind(engine, request);
      claim(request, 0);
      take(device().host().nanoTime(), request);
      device().host().activity().countCall();
      queuePair.wake();
      return request.memoryWindowRkey();
    } finally {
      device().host().exit();
    }
  }

  // ---- one request ---------------------------------------------------------------------------

  /** Takes a slot for a request that was checked, unless another thread has taken the last one. */
  private void claim(SendRequest request, int index) {
    if (!engine.sendSlots().claim(1)) {
      throw checks.sendQueueFull(engine, request, index);
    }
  }

  /** Takes a request that has a slot into the send queue. */
  private void take(long nowNanos, SendRequest request) {
    fill(request, engine.nextSend());
    enqueue(nowNanos, request);
  }

  private void enqueue(long nowNanos, SendRequest request) {
    PostNotes.send(device(), nowNanos, number(), request);
    engine.postSend(nowNanos);
  }

  private void fill(SendRequest request, SendWork work) {
    boolean isFilled = false;
    try {
      checks.copy(request, work);
      isFilled = true;
    } finally {
      if (!isFilled) {
        engine.sendSlots().unclaim(1);
      }
    }
  }

  @Override
  @Nullable SendWork accept(long nowNanos, SendWork work) {
    SendWork spare = engine.exchangeSend(work);
    engine.postSend(nowNanos);
    return spare;
  }

  @Override
  protected void takePosted() {
    queuePair.takePosted(this);
  }

  // ---- injected faults -----------------------------------------------------------------------

  private void requireNoFault(SimSendBatch batch) {
    InjectedFaults faults = device().faults();
    if (faults == null) {
      return;
    }
    for (int i = 0; i < batch.size(); i++) {
      PostFault fault = faults.postFault(true, number());
      if (fault != null) {
        throw BatchChecks.refused(fault, i, batch.request(i).id());
      }
    }
  }
}
