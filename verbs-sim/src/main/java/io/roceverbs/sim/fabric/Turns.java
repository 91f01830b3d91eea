package io.roceverbs.sim.fabric;

import io.roceverbs.sim.device.DeviceTimer;
import io.roceverbs.sim.device.UlpActivity;
import io.roceverbs.sim.device.UlpWait;
import io.roceverbs.sim.ulp.UlpStuckException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Decides whose turn is next.
 *
 * <p>First come new threads and those that something has come for, in that order; then, of those
 * who wait, the one that has waited longest and may go on. When there is none, time passes: the
 * next event happens, or the time comes that somebody waits until. When nothing is left to happen,
 * those who poll may look a limited number of times again; then one of those goes on, without it,
 * who wait for what others may bring; if there is none, all are stuck.
 *
 * <p>A thread that polls may go on when something comes to a place that it was the last to poll, or
 * to one that nobody else waits at; when another thread of its node has done something, as that may
 * be what it looks for; when a thread of any node ends or waits for something else than packets, or
 * a guest has done something; and, so that it can keep an eye on the clock, after {@link
 * #LOOK_EVENTS} events or {@link #LOOK_NANOS}. Machines share no memory, so other nodes and all
 * other events do not wake it: to hand the turn over is what costs most.
 */
final class Turns {
  /** A thread that polls looks again after so many events at the latest. */
  static final int LOOK_EVENTS = 64;

  /** A thread that polls looks again once so much time has passed. */
  static final long LOOK_NANOS = 100_000;

  /** A thread that looks so often in vain when nothing is left to happen counts as stuck. */
  static final int LOOKS_AT_END_MAX = 10_000;

  /** So many of these looks go round; then it is cheaper to let one thread look on. */
  private static final int LOOKS_AT_END_IN_TURN = 4;

  /** More turns than this without an event in between mean that threads keep each other busy. */
  private static final int TURNS_WITHOUT_EVENT_MAX = 10_000_000;

  /** More events than this in one wait of a guest mean that they have no end. */
  private static final long EVENTS_MAX = 100_000_000L;

  private final FabricCore core;
  private final FabricLock lock;
  private final UlpActivity activity;
  private final StuckReport report;
  private final List<Participant> threads = new ArrayList<>();
  private final List<Participant> waiting = new ArrayList<>();
  private final Deque<Participant> ready = new ArrayDeque<>();
  private int services;
  private long events;
  private int turnsWithoutEvent;
  private long settledNanos = -1;
  private long eventsBeforeGuest;
  private long end;
  private long callsAtEnd;
  private long eventsAtEnd;
  private @Nullable Thread asking;
  private @Nullable String stopReason;
  private @Nullable Throwable failure;

  Turns(FabricCore core, FabricLock lock, UlpActivity activity) {
    this.core = core;
    this.lock = lock;
    this.activity = activity;
    this.report = new StuckReport(core, activity);
  }

  // ---- who is there --------------------------------------------------------------------------

  /** Adds a new thread. */
  void add(Participant thread) {
    threads.add(thread);
    ready.add(thread);
    if (thread.isService()) {
      services++;
    }
  }

  /** Takes out a thread that has ended or does not give its turn back. */
  void remove(Participant thread) {
    if (threads.remove(thread) && thread.isService()) {
      services--;
    }
  }

  /** How many threads have not ended. */
  int alive() {
    return threads.size();
  }

  /** How many threads have not ended, without those that only serve the others. */
  int aliveToJoin() {
    return threads.size() - services;
  }

  /** How many events have passed while somebody waited here. */
  long events() {
    return events;
  }

  /**
   * Whether anybody else may go on, now or later. Who joins others does no more than those.
   *
   * @param self who asks
   */
  boolean hasOthers(Participant self) {
    return threads.stream().anyMatch(thread -> thread != self)
        || ready.stream().anyMatch(guest -> guest != self)
        || waiting.stream()
            .anyMatch(guest -> guest != self && !(guest.waitsFor() instanceof JoinWait));
  }

  boolean hasWaitingGuest() {
    return waiting.stream().anyMatch(Participant::isGuest);
  }

  // ---- waiting -------------------------------------------------------------------------------

  /** Adds one that has begun to wait. */
  void addWaiting(Participant participant) {
    waiting.add(participant);
    if (participant.isGuest()) {
      eventsBeforeGuest = events;
    }
  }

  /** Takes out one that does not wait any more, for a reason of its own. */
  void removeWaiting(Participant participant) {
    participant.endWait();
    waiting.remove(participant);
    ready.remove(participant);
  }

  /**
   * The turn of a thread ends. If it has done something, others may look whether that is what they
   * poll for.
   */
  void turnEnds(Participant participant) {
    boolean polls = participant.isPolling();
    if (polls && participant.callsAtTurn() == activity.calls()) {
      return;
    }
    for (int i = 0; i < waiting.size(); i++) {
      Participant other = waiting.get(i);
      if (other != participant && (!polls || sharesMemory(participant, other))) {
        other.letLook();
      }
    }
  }

  /** Guests and services belong to no machine, or to all. */
  private static boolean sharesMemory(Participant one, Participant other) {
    return one.node().isEmpty() || other.node().isEmpty() || one.node().equals(other.node());
  }

  /**
   * Lets those go on that poll for what has come.
   *
   * @param poller who was the last to poll there, or null if nobody was
   */
  void wake(@Nullable Participant poller) {
    if (poller != null && poller.isPolling()) {
      makeReady(poller);
    } else {
      waiting.stream().filter(Participant::isPolling).toList().forEach(this::makeReady);
    }
  }

  private void makeReady(Participant participant) {
    participant.endWait();
    waiting.remove(participant);
    ready.add(participant);
  }

  /** Asks whether a wait is over. A condition that polls finds what there is and doesn't wait. */
  boolean ask(UlpWait wait) {
    asking = Thread.currentThread();
    try {
      return wait.isOver();
    } finally {
      asking = null;
    }
  }

  /** Whether the present thread asks whether a wait is over. */
  boolean isAsking() {
    return asking == Thread.currentThread();
  }

  // ---- whose turn is next --------------------------------------------------------------------

  /**
   * Chooses who goes on, and lets time pass as far as it must.
   *
   * @param self who asks, if it waits itself
   * @return who goes on, or null if nobody is there
   */
  @Nullable Participant next(@Nullable Participant self) {
    while (stopReason == null) {
      Participant first = ready.poll();
      if (first == null) {
        first = firstDue();
      }
      if (first == null && isAtEnd()) {
        first = firstAtEnd(self);
      }
      if (first != null) {
        removeWaiting(first);
        countTurn();
        return first;
      }
    }
    return nextToStop();
  }

  private void countTurn() {
    turnsWithoutEvent++;
    if (turnsWithoutEvent > TURNS_WITHOUT_EVENT_MAX) {
      fail(
          new IllegalStateException(
              TURNS_WITHOUT_EVENT_MAX
                  + " turns have passed at "
                  + core.nanoTime()
                  + " ns without an event: the threads of the ULP keep each other busy"));
    }
  }

  /** Who has waited longest of those that may go on, or null if none may. */
  private @Nullable Participant firstDue() {
    for (int i = 0; i < waiting.size(); i++) {
      Participant participant = waiting.get(i);
      if (participant.isPolling() ? mayLookAgain(participant) : isDue(participant)) {
        return participant;
      }
    }
    return null;
  }

  private boolean mayLookAgain(Participant participant) {
    return participant.mayLook()
        || events - participant.eventsSeen() >= LOOK_EVENTS
        || core.nanoTime() - participant.lookNanos() >= LOOK_NANOS;
  }

  @SuppressWarnings("IllegalCatch")
  private boolean isDue(Participant participant) {
    try {
      participant.isOver(ask(Objects.requireNonNull(participant.waitsFor())));
    } catch (RuntimeException | Error e) { // of a condition: it fails the thread that waits for it
      participant.problem(e);
      return true;
    }
    return participant.isOver() || settledNanos >= participant.untilNanos();
  }

  /**
   * Lets the next event happen, or the time come that somebody waits until. Returns whether there
   * is no such thing.
   */
  private boolean isAtEnd() {
    if (!ready.isEmpty() || stopReason != null) {
      return false; // while conditions were asked outside of the lock, another thread came in
    }
    long until = DeviceTimer.NEVER;
    for (int i = 0; i < waiting.size(); i++) {
      until = Math.min(until, waiting.get(i).untilNanos());
    }
    if (until != DeviceTimer.NEVER) {
      if (!core.turnOrPassTime(until)) {
        settledNanos = until; // all that happens up to then has happened
      }
    } else if (!core.turn()) {
      return !endSteps();
    }
    events++;
    turnsWithoutEvent = 0;
    if (events - eventsBeforeGuest > EVENTS_MAX) {
      fail(
          new IllegalStateException(
              "the ULP still waits after "
                  + EVENTS_MAX
                  + " events, at "
                  + core.nanoTime()
                  + " ns: the nodes keep each other busy, or a timer never stops"));
    }
    lock.letOthersIn();
    return false;
  }

  /** Ends the waits for a next event, as there is none. Returns whether there was such a wait. */
  private boolean endSteps() {
    boolean ended = false;
    for (int i = 0; i < waiting.size(); i++) {
      if (waiting.get(i).waitsFor() instanceof StepWait step) {
        step.end();
        ended = true;
      }
    }
    return ended;
  }

  /** Who goes on although nothing is left to happen. If nobody does, the run is over. */
  private @Nullable Participant firstAtEnd(@Nullable Participant self) {
    if (callsAtEnd != activity.calls() || eventsAtEnd != events) {
      callsAtEnd = activity.calls();
      eventsAtEnd = events;
      end++;
    }
    Participant looker = firstWithLooksBelow(LOOKS_AT_END_IN_TURN);
    if (looker == null && self != null && mayLookAtEnd(self, LOOKS_AT_END_MAX)) {
      looker = self;
    }
    if (looker == null) {
      looker = firstWithLooksBelow(LOOKS_AT_END_MAX);
    }
    if (looker != null) {
      looker.countLookAt(end);
      return looker;
    }
    Participant inVain = firstThatWaitsForOthers();
    if (inVain == null) {
      fail(new UlpStuckException(report.of(waiting)));
    }
    return inVain;
  }

  private @Nullable Participant firstThatWaitsForOthers() {
    for (int i = 0; i < waiting.size(); i++) {
      if (waiting.get(i).waitsFor() instanceof OthersWait) {
        return waiting.get(i);
      }
    }
    return null;
  }

  private @Nullable Participant firstWithLooksBelow(int max) {
    for (int i = 0; i < waiting.size(); i++) {
      if (mayLookAtEnd(waiting.get(i), max)) {
        return waiting.get(i);
      }
    }
    return null;
  }

  private boolean mayLookAtEnd(Participant participant, int max) {
    return participant.isPolling() && participant.looksAt(end) < max;
  }

  // ---- the end of a run ----------------------------------------------------------------------

  /** Why all threads are being unwound, or null if they are not. */
  @Nullable String stopReason() {
    return stopReason;
  }

  /** Ends the run of all threads for something that went wrong; the first such thing counts. */
  void fail(Throwable cause) {
    Throwable first = failure;
    if (first == null) {
      failure = cause;
    } else if (first != cause) {
      first.addSuppressed(cause);
    }
    stop("the run has ended: " + cause.getMessage());
  }

  /** Ends the run of all threads. */
  void stop(String reason) {
    if (stopReason == null) {
      stopReason = reason;
    }
  }

  /** What went wrong that nobody was there to hear of, or null. */
  @Nullable Throwable takeFailure() {
    Throwable cause = failure;
    failure = null;
    return cause;
  }

  /** The next thread to be unwound; behind the last one, the first guest. */
  private @Nullable Participant nextToStop() {
    while (!threads.isEmpty()) {
      Participant thread = threads.get(0);
      if (thread.thread() != null) {
        removeWaiting(thread);
        return thread;
      }
      thread.end();
      remove(thread);
      ready.remove(thread);
    }
    endRun();
    return ready.poll();
  }

  /** All threads are unwound: tells the guests, and is ready for another run. */
  private void endRun() {
    List.copyOf(waiting).forEach(this::makeReady);
    for (Participant guest : ready) {
      tellEnd(guest);
    }
    if (!ready.isEmpty()) {
      failure = null;
    }
    stopReason = null;
  }

  private void tellEnd(Participant guest) {
    Throwable cause = failure;
    if (cause != null) {
      guest.problem(cause);
    } else if (!(guest.waitsFor() instanceof EndWait)) {
      guest.problem(new IllegalStateException("a call that waited ends: " + stopReason));
    }
  }
}
