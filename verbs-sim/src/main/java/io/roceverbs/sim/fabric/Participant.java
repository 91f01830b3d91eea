package io.roceverbs.sim.fabric;

import io.roceverbs.sim.device.DeviceTimer;
import io.roceverbs.sim.device.PolledPlace;
import io.roceverbs.sim.device.UlpWait;
import io.roceverbs.sim.ulp.UlpBody;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One of those who take turns on a fabric: a ULP thread, or a guest, which is any other thread
 * while it is in a call that waits.
 *
 * <p>All state is guarded by the lock of the fabric, but for the turn itself, which is handed over
 * outside of it.
 */
final class Participant extends FabricThread {
  /** The number of all guests; threads count from 1. */
  static final int GUEST = 0;

  private final UlpScheduler scheduler;
  private final int number;
  private final @Nullable UlpBody body;
  private volatile @Nullable Thread thread;
  private volatile boolean hasTurn;

  /** What it waits for, or else the place that it polls. */
  private @Nullable UlpWait wait;

  private @Nullable PolledPlace place;
  private long untilNanos = DeviceTimer.NEVER;
  private boolean isWaiting;
  private boolean isOver;
  private @Nullable Throwable problem;
  private boolean isAbandoned;

  /** How many calls of all threads had done something when its turn began. */
  private long callsAtTurn;

  /** Whether another thread has done something that it may look for. */
  private boolean mayLook;

  /** How many events there had been at its last look, and the time. */
  private long eventsSeen;

  private long lookNanos;

  /** How often it has looked in vain at the end of all events, and at which end. */
  private long end;

  private int looksAtEnd;

  private Participant(
      UlpScheduler scheduler,
      int number,
      String name,
      String node,
      boolean isService,
      @Nullable UlpBody body,
      @Nullable Thread thread) {
    super(scheduler, name, node, isService);
    this.scheduler = scheduler;
    this.number = number;
    this.body = body;
    this.thread = thread;
  }

  /** A thread that is to be started when it gets its first turn. */
  static Participant started(
      UlpScheduler scheduler,
      int number,
      String name,
      String node,
      boolean isService,
      UlpBody body) {
    return new Participant(scheduler, number, name, node, isService, body, null);
  }

  /** The present thread, as a guest. */
  static Participant guest(UlpScheduler scheduler) {
    Thread thread = Thread.currentThread();
    return new Participant(scheduler, GUEST, thread.getName(), "", false, null, thread);
  }

  @Override
  boolean isCurrent() {
    return UlpWorkers.current() == this;
  }

  UlpScheduler scheduler() {
    return scheduler;
  }

  int number() {
    return number;
  }

  boolean isGuest() {
    return number == GUEST;
  }

  @Nullable Thread thread() {
    return thread;
  }

  // ---- waiting -------------------------------------------------------------------------------

  /** Begins to wait until something has come, or a time. */
  void beginWait(UlpWait what, long until) {
    wait = what;
    place = null;
    untilNanos = until;
    isWaiting = true;
    isOver = false;
  }

  /** Begins to wait for a reason to look at a place again. */
  void beginPoll(PolledPlace what, long events, long nowNanos) {
    wait = null;
    place = what;
    untilNanos = DeviceTimer.NEVER;
    isWaiting = true;
    mayLook = false;
    eventsSeen = events;
    lookNanos = nowNanos;
  }

  /** It may go on. */
  void endWait() {
    isWaiting = false;
  }

  /** Whether it waits for a reason to look at a place again. */
  boolean isPolling() {
    return isWaiting && place != null;
  }

  /** What it waits for, if it does not poll. */
  @Nullable UlpWait waitsFor() {
    return wait;
  }

  /** What it does that keeps it from going on. */
  String whatItDoes() {
    return place != null
        ? "polls " + place.describe()
        : "waits for " + Objects.requireNonNull(wait).describe();
  }

  /** Notes that what it waits for has come. */
  void isOver(boolean value) {
    isOver = value;
  }

  /** Whether what it waited for has come; if not, the time has. */
  boolean isOver() {
    return isOver;
  }

  long untilNanos() {
    return untilNanos;
  }

  /** Its turn begins, when so many calls have done something. */
  void beginTurn(long calls) {
    callsAtTurn = calls;
  }

  long callsAtTurn() {
    return callsAtTurn;
  }

  /** Another thread has done something that it may look for. */
  void letLook() {
    mayLook = true;
  }

  boolean mayLook() {
    return mayLook;
  }

  long eventsSeen() {
    return eventsSeen;
  }

  long lookNanos() {
    return lookNanos;
  }

  /** How often it has looked in vain at an end of events, which has a number. */
  int looksAt(long endNumber) {
    return end == endNumber ? looksAtEnd : 0;
  }

  void countLookAt(long endNumber) {
    looksAtEnd = looksAt(endNumber) + 1;
    end = endNumber;
  }

  /** What its call throws when it goes on. */
  void problem(Throwable cause) {
    problem = cause;
  }

  @Nullable Throwable takeProblem() {
    Throwable cause = problem;
    problem = null;
    return cause;
  }

  /** It does not give its turn back, and is left out from now on. */
  void abandon() {
    isAbandoned = true;
    end();
  }

  boolean isAbandoned() {
    return isAbandoned;
  }

  // ---- the turn ------------------------------------------------------------------------------

  /** Gives it the turn. The caller does not touch the fabric before it gets the turn back. */
  void giveTurn() {
    hasTurn = true;
    Thread sleeper = thread;
    if (sleeper == null) {
      UlpWorkers.start(this);
    } else {
      LockSupport.unpark(sleeper);
    }
  }

  boolean hasTurn() {
    return hasTurn;
  }

  /** Takes the turn that it was given. */
  void takeTurn() {
    hasTurn = false;
  }

  /** Looks out for the turn for a short while. Returns whether it came. */
  boolean spinForTurn() {
    int spins = Spins.limit();
    for (int i = 0; i < spins && !hasTurn; i++) {
      Thread.onSpinWait();
    }
    boolean came = hasTurn;
    if (!isGuest()) {
      Spins.learn(came); // a guest that joins waits long, which says nothing
    }
    return came;
  }

  /** Sleeps until it is given the turn. */
  void awaitTurn() {
    if (!spinForTurn()) {
      boolean interrupted = false;
      while (!hasTurn) {
        LockSupport.park(this);
        interrupted |= Thread.interrupted();
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    takeTurn();
  }

  /** Runs its body on the present thread, from the first turn to the end. */
  @SuppressWarnings("IllegalCatch")
  void runBody() {
    thread = Thread.currentThread();
    takeTurn();
    Throwable thrown = null;
    try {
      if (body != null) {
        body.run();
      }
    } catch (Throwable e) { // whatever it is ends the run and is thrown to whoever joins
      thrown = e;
    }
    scheduler.ended(this, thrown);
  }
}
