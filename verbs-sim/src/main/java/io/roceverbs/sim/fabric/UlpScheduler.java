package io.roceverbs.sim.fabric;

import io.roceverbs.sim.device.DeviceTimer;
import io.roceverbs.sim.device.PolledPlace;
import io.roceverbs.sim.device.UlpActivity;
import io.roceverbs.sim.device.UlpWait;
import io.roceverbs.sim.trace.Trace;
import io.roceverbs.sim.trace.TracePoint;
import io.roceverbs.sim.ulp.UlpBlockedException;
import io.roceverbs.sim.ulp.UlpBody;
import io.roceverbs.sim.ulp.UlpStoppedException;
import io.roceverbs.sim.ulp.UlpStuckException;
import io.roceverbs.sim.ulp.UlpThread;
import io.roceverbs.sim.ulp.UlpThreadException;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Lets the ULP threads of one fabric run one at a time, and time pass when none can.
 *
 * <p>Whoever runs has the turn. When its call has to wait, it {@linkplain Turns chooses} who is
 * next, makes events happen as needed, and hands the turn over; often it is itself again. So there
 * is no thread of the fabric's own, and what happens when follows from what the ULP does alone.
 *
 * <p>Any other thread is a guest: it takes part while it is in a call that waits, and the ULP
 * threads run during such calls only. While no ULP thread is alive, guests don't take turns: each
 * call lets time pass by itself, as {@link LoneCalls} tells.
 *
 * <p>All state is guarded by the lock of the fabric.
 */
final class UlpScheduler extends FabricThreads {
  private final UlpActivity activity;
  private final Trace trace;
  private final Turns turns;
  private final LoneCalls loneCalls;
  private final Watchdog watchdog;
  private final IdentityHashMap<Thread, Participant> guests = new IdentityHashMap<>();
  private @Nullable Participant running;
  private int lastNumber;
  private long handOvers;

  UlpScheduler(
      FabricCore core,
      FabricLock lock,
      UlpActivity activity,
      Trace trace,
      long blockingLimitNanos) {
    super(core, lock);
    this.activity = activity;
    this.trace = trace;
    this.turns = new Turns(core, lock, activity);
    this.loneCalls = new LoneCalls(core, lock, activity);
    this.watchdog = new Watchdog(this, core, lock, blockingLimitNanos);
  }

  // ---- threads -------------------------------------------------------------------------------

  @Override
  @Nullable String stopReason() {
    return turns.stopReason();
  }

  @Override
  int alive() {
    return turns.alive();
  }

  @Override
  int aliveToJoin() {
    return turns.aliveToJoin();
  }

  @Override
  UlpThread startThread(String node, String name, boolean isService, UlpBody body) {
    Participant thread = Participant.started(this, ++lastNumber, name, node, isService, body);
    turns.add(thread);
    return thread;
  }

  @Override
  public boolean isUlpThread() {
    Participant current = UlpWorkers.current();
    return current != null && current.scheduler() == this;
  }

  @Override
  public void awaitIdle(long eventsMax) {
    joinAll();
    long events = 0;
    while (core.turn()) {
      events++;
      if (events >= eventsMax) {
        throw new IllegalStateException(
            "the fabric is still busy after "
                + eventsMax
                + " events, at "
                + core.nanoTime()
                + " ns: the nodes keep each other busy; use runFor or runUntil");
      }
    }
  }

  @Override
  public boolean step() {
    core.enter();
    try {
      if (turns.alive() == 0) {
        return core.turn();
      }
      StepWait step = new StepWait(turns);
      await(step, DeviceTimer.NEVER);
      return step.hasHappened();
    } finally {
      core.exit();
    }
  }

  @Override
  public void stop() {
    lock.enter();
    try {
      if (turns.alive() > 0) {
        EndWait wait = new EndWait(turns);
        requireMayWait(wait);
        turns.stop("the fabric is being closed");
        Participant self = self();
        self.beginWait(wait, DeviceTimer.NEVER);
        suspend(self);
      }
      throwIfAny(turns.takeFailure());
    } finally {
      lock.exit();
    }
  }

  // ---- calls that wait -----------------------------------------------------------------------

  @Override
  public boolean mayStayOutside() {
    return false;
  }

  @Override
  public void polledInVain(PolledPlace place) {
    if (!mayWait()) {
      return;
    }
    requireNotAbandoned();
    if (turns.alive() == 0) {
      loneCalls.poll(place);
      return;
    }
    Participant self = self();
    place.lastPoller(self);
    self.beginPoll(place, turns.events(), core.nanoTime());
    suspend(self);
  }

  @Override
  public void readyToPoll(PolledPlace place) {
    if (turns.alive() > 0) {
      turns.wake(place.lastPoller() instanceof Participant poller ? poller : null);
    }
  }

  @Override
  public boolean await(UlpWait wait, long untilNanos) {
    requireMayWait(wait);
    requireNotAbandoned();
    while (!isOver(wait)) {
      if (turns.alive() > 0) {
        Participant self = self();
        self.beginWait(wait, untilNanos);
        suspend(self);
        return self.isOver();
      }
      if (!loneCalls.await(wait, untilNanos)) {
        return wait.isOver();
      }
    }
    return true;
  }

  @Override
  public boolean awaitOthers(UlpWait wait) {
    if (!mayWait()) {
      return false;
    }
    requireNotAbandoned();
    return turns.hasOthers(self()) && await(new OthersWait(wait), DeviceTimer.NEVER);
  }

  /** Who waits is asked anew after each turn, so nobody need be told. */
  @Override
  public void signalChange() {}

  private boolean mayWait() {
    return core.mayWait() && !turns.isAsking();
  }

  private void requireMayWait(UlpWait wait) {
    if (!mayWait()) {
      throw new IllegalStateException(
          "a wait for "
              + wait.describe()
              + " was begun inside an event of the fabric, such as a completion callback, or inside"
              + " a condition that somebody waits for; return from it first");
    }
  }

  /** A thread that did not give its turn back has no part in what comes later. */
  private void requireNotAbandoned() {
    Participant current = UlpWorkers.current();
    if (current != null && current.scheduler() == this && current.isAbandoned()) {
      throw new UlpStoppedException(
          "the run has ended: " + current + " did not give its turn back in time");
    }
  }

  /** Asked by a guest, which may not have the turn, a condition may do what it likes. */
  private boolean isOver(UlpWait wait) {
    return isUlpThread() ? turns.ask(wait) : wait.isOver();
  }

  private Participant self() {
    Participant current = UlpWorkers.current();
    return current != null && current.scheduler() == this
        ? current
        : guests.computeIfAbsent(Thread.currentThread(), thread -> Participant.guest(this));
  }

  /** Lets others run until a participant that has begun to wait may go on. */
  private void suspend(Participant self) {
    if (!self.isGuest() && turns.stopReason() != null) {
      self.endWait();
      throw new UlpStoppedException(turns.stopReason());
    }
    turns.addWaiting(self);
    turns.turnEnds(self);
    if (running == null || running == self) {
      running = self;
      handOver(choose(self), self);
    } else {
      sleep(self, null);
    }
    self.beginTurn(activity.calls());
    if (self.isGuest()) {
      leave();
    } else if (turns.stopReason() != null) {
      throw new UlpStoppedException(turns.stopReason());
    }
    throwIfAny(self.takeProblem());
  }

  /** Chooses who goes on. What fails in an event is thrown to who made it happen. */
  private @Nullable Participant choose(Participant self) {
    try {
      return turns.next(self);
    } catch (RuntimeException | Error e) {
      turns.removeWaiting(self);
      if (self.isGuest()) {
        running = null;
      }
      throw e;
    }
  }

  private void handOver(@Nullable Participant next, Participant self) {
    if (next != self) {
      resume(next);
      sleep(self, next);
    }
  }

  private void resume(@Nullable Participant next) {
    running = next;
    handOvers++;
    if (next != null) {
      trace.mix(core.nanoTime(), TracePoint.ULP_TURN, next.number(), 0);
    }
  }

  /** Waits for the turn, outside of the lock, after another one was given it. */
  private void sleep(Participant self, @Nullable Participant next) {
    long progress = progress();
    lock.exit();
    try {
      if (next != null) {
        next.giveTurn();
      }
      if (self.isGuest()) {
        watchdog.awaitTurn(self, progress);
      } else {
        self.awaitTurn();
      }
    } finally {
      lock.enter();
    }
  }

  /** A guest's call is over: nobody has the turn until the next one, unless other guests wait. */
  private void leave() {
    running = null;
    if (turns.hasWaitingGuest()) {
      Participant next = turns.next(null);
      resume(next);
      if (next != null) {
        next.giveTurn();
      }
    }
  }

  /** The body of a thread is over. Called by that thread, which has the turn. */
  @SuppressWarnings("IllegalCatch")
  void ended(Participant thread, @Nullable Throwable thrown) {
    lock.enter();
    try {
      if (thread.isAbandoned()) {
        return;
      }
      thread.end();
      turns.remove(thread);
      turns.turnEnds(thread);
      if (thrown != null && !isUnwound(thrown)) {
        turns.fail(new UlpThreadException(thread, core.nanoTime(), thrown));
      }
      Participant next;
      try {
        next = turns.next(null);
      } catch (RuntimeException | Error e) { // of an event: there is no other call to throw it
        turns.fail(e);
        next = turns.next(null);
      }
      resume(next);
      if (next != null) {
        next.giveTurn();
      }
    } finally {
      lock.exit();
    }
  }

  // ---- a thread that does not give its turn back -----------------------------------------------

  /** A number that changes whenever a thread of the ULP gets on. The caller holds the lock. */
  long progress() {
    return handOvers + turns.events() + activity.calls();
  }

  /** Who has the turn, if it is a ULP thread. The caller holds the lock. */
  @Nullable Participant runningThread() {
    Participant holder = running;
    return holder == null || holder.isGuest() ? null : holder;
  }

  /** Takes the turn from a thread, leaves that to itself, and ends the run of the others. */
  void takeTurnFrom(Participant blocked, Throwable report) {
    blocked.abandon();
    turns.remove(blocked);
    endRun(report);
    Participant next = turns.next(null);
    resume(next);
    if (next != null) {
      next.giveTurn();
    }
  }

  /** Ends the run of all threads. The caller holds the lock. */
  void endRun(Throwable cause) {
    turns.fail(cause);
  }

  private static void throwIfAny(@Nullable Throwable cause) {
    if (cause == null) {
      return;
    }
    if (cause instanceof UlpThreadException
        || cause instanceof UlpStuckException
        || cause instanceof UlpBlockedException) {
      cause.fillInStackTrace(); // where the caller waits tells more than who noticed
    }
    if (cause instanceof Error error) {
      throw error;
    }
    throw (RuntimeException) cause;
  }
}
