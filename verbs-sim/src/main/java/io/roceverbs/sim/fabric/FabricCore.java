package io.roceverbs.sim.fabric;

import io.netty.channel.EventLoop;
import io.roceverbs.sim.device.DeviceTimer;
import io.roceverbs.sim.device.Doorbell;
import io.roceverbs.sim.device.UlpActivity;
import io.roceverbs.sim.fabric.impair.ActiveRule;
import io.roceverbs.sim.fabric.impair.EcnMarking;
import io.roceverbs.sim.fabric.impair.Impairment;
import io.roceverbs.sim.fabric.impair.Match;
import io.roceverbs.sim.fabric.impair.Rule;
import io.roceverbs.sim.trace.Trace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jctools.queues.atomic.MpscGrowableAtomicArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * One fabric: its clock, its lock, the events to come, and the ports.
 *
 * <p>Tasks of the event loop that are due come first. Then, of one time, frames come in the order
 * in which they were sent, and behind them timers. After each event, and at the end of each verbs
 * call, the ports whose devices have become ready to send are served in the order in which they
 * became so.
 */
public final class FabricCore {
  /** The bound of a turn that may go as far in time as it needs to. */
  public static final long NO_BOUND = 1L << 62;

  /** So many events may happen in real time before other threads come in. */
  private static final int EVENTS_AT_ONCE = 64;

  private static final int DOORBELLS_AT_FIRST = 64;

  /** More than there can be queues in a fabric. */
  private static final int DOORBELLS_MAX = 1 << 24;

  /** Earlier than all events: a loop that looks need not be woken. */
  private static final long AWAKE = -1;

  private final FabricLock lock = new FabricLock();
  private final Drive drive;
  private final boolean isByItself;
  private final MpscGrowableAtomicArrayQueue<Doorbell> rung =
      new MpscGrowableAtomicArrayQueue<>(DOORBELLS_AT_FIRST, DOORBELLS_MAX);
  private final EventQueue<Frame> arrivals = new EventQueue<>();
  private final TimerQueue timers = new TimerQueue();
  private final FramePool pool = new FramePool();
  private final UlpActivity activity;
  private final Ulps ulps;
  private final AddressTable addresses = new AddressTable();
  private final MulticastTable groups = new MulticastTable();
  private final List<Port> ports = new ArrayList<>();
  private final PacketLog log;
  private final RuleChecker ruleChecker = new RuleChecker(ports);
  private final ImpairmentTable impairments;
  private final long seed;
  private final @Nullable PcapngWriter capture;
  private @Nullable Port firstReady;
  private @Nullable Port lastReady;
  private volatile @Nullable Throwable failure;
  private long frameNumber;
  private boolean isBusy;
  private volatile boolean isClosed;

  /** In real time, when the loop looks here again by itself; {@link #AWAKE} while it looks. */
  private long nextLookNanos = AWAKE;

  /**
   * Makes a fabric without ports.
   *
   * @param isRealTime whether time passes by itself, on an event loop of the fabric's own
   * @param seed where all chance comes from
   * @param trace hears of every packet
   * @param capture gets every frame; closed with the fabric; null for none
   * @param blockingLimitNanos how long, in real time, a ULP thread may keep its turn
   */
  public FabricCore(
      boolean isRealTime,
      long seed,
      Trace trace,
      @Nullable PcapngWriter capture,
      long blockingLimitNanos) {
    this.log = new PacketLog(trace);
    this.activity = new UlpActivity(isRealTime);
    this.impairments = new ImpairmentTable(seed);
    this.seed = seed;
    this.capture = capture;
    this.ulps =
        isRealTime
            ? new OrdinaryThreads(this, lock, blockingLimitNanos)
            : new UlpScheduler(this, lock, activity, trace, blockingLimitNanos);
    this.isByItself = isRealTime;
    this.drive = isRealTime ? new RealDrive(this) : new VirtualDrive(lock);
  }

  /**
   * Adds a port. The caller has checked the arguments, and holds the lock.
   *
   * @param name name of its node, new in this fabric
   * @param latencyNanos one way, between the node and the switch
   * @param bitsPerSecond bandwidth each way; 0 for no limit
   * @param mtuBytes the longest IP packet
   * @param queueBytesMax how much the switch keeps waiting for the node
   * @param marking when the switch marks what waits for the node
   * @return the port, without a device and without an address
   */
  public Port addPort(
      String name,
      long latencyNanos,
      long bitsPerSecond,
      int mtuBytes,
      int queueBytesMax,
      EcnMarking marking) {
    EcnMarker marker = new EcnMarker(marking, seed + ports.size());
    Link link = new Link(latencyNanos, bitsPerSecond, mtuBytes, queueBytesMax, marker);
    Port port = new Port(this, name, ports.size(), link, drive.loop());
    ports.add(port);
    return port;
  }

  /**
   * Lets frames to an IP address, of 128 bits, go to a port.
   *
   * @param high its upper half
   * @param low its lower half
   * @param port who has it
   */
  public void addAddress(long high, long low, Port port) {
    addresses.add(high, low, port);
  }

  /**
   * Lets frames to an IP address go nowhere, from now on.
   *
   * @param high its upper half
   * @param low its lower half
   */
  public void removeAddress(long high, long low) {
    addresses.remove(high, low);
  }

  /**
   * Begins a call that no other thread and no event may interrupt. Nestable.
   *
   * @throws IllegalStateException if the fabric is closed
   */
  public void enter() {
    if (!tryEnter()) {
      throw new IllegalStateException(
          "the fabric is closed, and so are its nodes and their devices; make a new one");
    }
  }

  /**
   * Begins a call as {@link #enter()} does, unless the fabric is closed.
   *
   * @return whether it has begun
   */
  public boolean tryEnter() {
    lock.enter();
    if (isClosed) {
      lock.exit();
      return false;
    }
    return true;
  }

  /** Ends a call; at the end of the outermost one, what has become ready to be sent leaves. */
  public void exit() {
    if (isByItself) {
      exitInRealTime();
      return;
    }
    try {
      if (firstReady != null && !isBusy && lock.isOutermost()) {
        isBusy = true;
        try {
          serveReadyPorts();
        } finally {
          isBusy = false;
        }
        throwFailure();
      }
    } finally {
      lock.exit();
    }
  }

  /** The loop sends in real time; it is woken if it would look too late by itself. */
  private void exitInRealTime() {
    boolean isTooLate = nextEventNanos() < nextLookNanos;
    if (isTooLate) {
      nextLookNanos = AWAKE;
    }
    lock.exit();
    if (isTooLate) {
      drive.wake();
    }
  }

  /**
   * The fabric's time.
   *
   * @return nanoseconds
   */
  public long nanoTime() {
    return drive.nanoTime();
  }

  /**
   * Makes the next event happen, however long it takes.
   *
   * @return whether anything happened
   */
  public boolean turn() {
    return turn(NO_BOUND);
  }

  /**
   * Makes the next event happen, and the clock jump to its time. Does nothing when called from
   * inside an event: one thing happens after another.
   *
   * @param boundNanos do nothing if the event would be later than this
   * @return whether anything happened
   */
  public boolean turn(long boundNanos) {
    enter();
    try {
      if (isBusy) {
        return false;
      }
      isBusy = true;
      boolean happened;
      try {
        serveReadyPorts();
        happened = nextEvent(boundNanos);
        serveReadyPorts();
      } finally {
        isBusy = false;
      }
      throwFailure();
      return happened;
    } finally {
      exit();
    }
  }

  /**
   * Whether the present thread is inside an event, such as a completion callback.
   *
   * @return whether it is
   */
  public boolean isInsideEvent() {
    return lock.isHeldByCurrentThread() && isBusy;
  }

  /**
   * Makes the next event happen if it is not later than a time; if there is none, lets time pass up
   * to there.
   *
   * @param untilNanos the time
   * @return whether an event happened, so that there may be another one
   */
  public boolean turnOrPassTime(long untilNanos) {
    enter();
    try {
      if (turn(untilNanos)) {
        return true;
      }
      drive.advanceTo(Math.max(untilNanos, drive.nanoTime()));
      return false;
    } finally {
      exit();
    }
  }

  private boolean nextEvent(long boundNanos) {
    if (drive.runTasks() > 0) {
      return true;
    }
    long arrivalNanos = arrivals.firstTimeNanos();
    long taskNanos = drive.nextTaskNanos();
    long othersNanos = Math.min(Math.min(arrivalNanos, taskNanos), boundNanos);
    long timerNanos = timers.nextDeadlineNanos(othersNanos);
    long nextNanos = Math.min(othersNanos, timerNanos);
    if (arrivalNanos == nextNanos) {
      long nowNanos = drive.advanceTo(nextNanos);
      Frame frame = arrivals.removeFirst();
      frame.routedDestination().arrive(frame, nowNanos);
    } else if (timerNanos == nextNanos) {
      timers.expireFirst(drive.advanceTo(nextNanos));
    } else if (taskNanos == nextNanos) {
      drive.advanceTo(nextNanos);
      drive.runTasks();
    } else {
      return false;
    }
    return true;
  }

  /**
   * In real time, lets happen what is due, but not for so long that others can't come in. Called by
   * the event loop alone.
   *
   * @return for how long there is nothing to do; 0 if there is more
   */
  long runDue() {
    lock.enterFirst();
    try {
      if (isClosed) {
        return EventQueue.NEVER;
      }
      nextLookNanos = AWAKE;
      runSomeEvents();
      nextLookNanos = nextEventNanos();
      return Math.max(nextLookNanos - drive.nanoTime(), 0);
    } finally {
      lock.exit();
    }
  }

  @SuppressWarnings("IllegalCatch")
  private void runSomeEvents() {
    isBusy = true;
    try {
      answerDoorbells();
      serveReadyPorts();
      long nowNanos = drive.nanoTime();
      int events = 0;
      while (events < EVENTS_AT_ONCE && nextEvent(nowNanos)) {
        answerDoorbells(); // a receive that was posted in time is there for the next packet
        serveReadyPorts();
        events++;
      }
      lock.signalChange(); // also without an event: a port that was ready has nothing to send now
    } catch (RuntimeException | Error e) { // no call has asked for the event: the next wait throws
      failed(e);
    } finally {
      isBusy = false;
    }
  }

  /**
   * Lets what was posted without entering be taken. May be called at any time, by any thread.
   *
   * @param doorbell of the queue that it was posted to
   */
  void ring(Doorbell doorbell) {
    if (doorbell.ring()) {
      boolean isHeard = rung.offer(doorbell);
      assert isHeard : "each doorbell is in the queue once at most";
    }
    drive.wake();
  }

  private void answerDoorbells() {
    int answered = 0;
    Doorbell doorbell = rung.relaxedPoll();
    while (doorbell != null) {
      doorbell.answer();
      answered++;
      doorbell = answered < EVENTS_AT_ONCE ? rung.relaxedPoll() : null;
    }
  }

  /** A time before which nothing happens; 0 if a port is ready to send. */
  private long nextEventNanos() {
    if (rung.relaxedPeek() != null) {
      return 0;
    }
    return firstReady == null ? Math.min(arrivals.firstTimeNanos(), timers.nextLookNanos()) : 0;
  }

  /** Whether nothing is left to happen by itself. The caller holds the lock. */
  boolean isIdle() {
    return firstReady == null
        && rung.isEmpty()
        && arrivals.isEmpty()
        && timers.nextDeadlineNanos(NO_BOUND) == EventQueue.NEVER;
  }

  private void serveReadyPorts() {
    Port port = firstReady;
    while (port != null) {
      firstReady = port.nextReady();
      port.nextReady(null);
      port.isReady(false);
      port.transmit(drive.nanoTime());
      port = firstReady;
    }
    lastReady = null;
  }

  void ready(Port port) {
    if (port.isReady()) {
      return;
    }
    port.isReady(true);
    Port last = lastReady;
    if (firstReady == null || last == null) {
      firstReady = port;
    } else {
      last.nextReady(port);
    }
    lastReady = port;
  }

  void schedule(long timeNanos, Frame frame) {
    arrivals.add(timeNanos, frame);
  }

  void timerChanged(DeviceTimer timer) {
    timers.changed(timer, drive.nanoTime());
  }

  /** Keeps what went wrong in a handler until the present event is over. */
  void failed(Throwable cause) {
    Throwable first = failure;
    if (first == null) {
      failure = cause;
    } else if (first != cause) {
      first.addSuppressed(cause);
    }
  }

  /** Whether an event has failed and nobody was told. */
  boolean hasFailed() {
    return failure != null;
  }

  /** Tells the caller, who holds the lock, what went wrong in an event. */
  void throwFailure() {
    Throwable cause = failure;
    if (cause == null) {
      return;
    }
    failure = null;
    if (cause instanceof RuntimeException unchecked) {
      throw unchecked;
    }
    if (cause instanceof Error error) {
      throw error;
    }
    throw new IllegalStateException("a handler of the fabric failed", cause);
  }

  @Nullable Port route(long high, long low) {
    return addresses.find(high, low);
  }

  MulticastTable groups() {
    return groups;
  }

  long nextFrameNumber() {
    return ++frameNumber;
  }

  boolean isRealTime() {
    return isByItself;
  }

  /** Whether a post or a poll need not enter. */
  boolean mayStayOutside() {
    return isByItself && ulps.mayStayOutside();
  }

  UlpActivity activity() {
    return activity;
  }

  /**
   * The threads of the ULP, and how calls wait.
   *
   * @return always the same object
   */
  public Ulps ulps() {
    return ulps;
  }

  /** Says of all devices what they have not completed. */
  void describeDevices(Consumer<String> lines) {
    for (Port port : ports) {
      port.client().describeUnfinished(lines);
    }
  }

  /** Takes the fabric from a thread that stays inside a call for ever. */
  void breakOpen() {
    lock.breakOpen();
    isBusy = false;
  }

  boolean isClosed() {
    return isClosed;
  }

  /** Whether the present call, which has entered once, is neither inside an event nor a call. */
  boolean mayWait() {
    return !isBusy && lock.isOutermost();
  }

  EventLoop loop() {
    return drive.loop();
  }

  FramePool pool() {
    return pool;
  }

  PacketLog log() {
    return log;
  }

  ImpairmentTable impairments() {
    return impairments;
  }

  @Nullable PcapngWriter capture() {
    return capture;
  }

  /**
   * Adds a rule.
   *
   * @param rule the rule
   * @return the rule at work
   * @throws IllegalArgumentException if it could never match; it says why
   */
  public ActiveRule add(Rule rule) {
    enter();
    try {
      Match match = rule.match();
      ruleChecker.check(rule);
      InstalledRule installed =
          new InstalledRule(
              this, rule, ruleChecker.find(match.from()), ruleChecker.find(match.to()));
      impairments.add(installed);
      return installed;
    } finally {
      exit();
    }
  }

  void remove(InstalledRule rule) {
    lock.enter();
    try {
      impairments.remove(rule);
    } finally {
      lock.exit();
    }
  }

  /**
   * Sets the chances of faults for all directions that have none of their own.
   *
   * @param impairment the chances
   */
  public void impair(Impairment impairment) {
    enter();
    try {
      impairments.everywhere(impairment);
    } finally {
      exit();
    }
  }

  /**
   * Sets the chances of faults for one direction.
   *
   * @param from the sending port
   * @param to the destination
   * @param impairment the chances
   */
  public void impair(Port from, Port to, Impairment impairment) {
    enter();
    try {
      impairments.direction(from, to, impairment);
    } finally {
      exit();
    }
  }

  /**
   * Closes all ports and gives back the frames in flight. Again: no effect.
   *
   * @throws AssertionError if frames are missing then: somebody kept one and never released it
   */
  public void close() {
    if (beginClose()) {
      drive.close(this::closePorts);
      closeCapture();
      checkFrames();
    }
  }

  private boolean beginClose() {
    lock.enter();
    try {
      boolean wasOpen = !isClosed;
      isClosed = true;
      lock.signalChange();
      return wasOpen;
    } finally {
      lock.exit();
    }
  }

  private void closePorts() {
    lock.enter();
    try {
      while (!arrivals.isEmpty()) {
        arrivals.removeFirst().release();
      }
      for (Port port : ports) {
        port.close();
      }
    } finally {
      lock.exit();
    }
  }

  private void closeCapture() {
    if (capture != null) {
      try {
        capture.close();
      } catch (IOException e) {
        throw new UncheckedIOException("the capture can't be closed: " + e.getMessage(), e);
      }
    }
  }

  private void checkFrames() {
    if (pool.inUse() != 0) {
      throw new AssertionError(
          pool.inUse() + " frames were neither released nor in flight when the fabric was closed");
    }
  }
}
