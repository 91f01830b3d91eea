package io.roceverbs.sim.fabric;

import io.roceverbs.sim.device.DeviceTimer;
import io.roceverbs.sim.device.UlpActivity;
import io.roceverbs.sim.fabric.impair.ActiveRule;
import io.roceverbs.sim.fabric.impair.Impairment;
import io.roceverbs.sim.fabric.impair.Match;
import io.roceverbs.sim.fabric.impair.Rule;
import io.roceverbs.sim.trace.Trace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
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

  private final FabricLock lock = new FabricLock();
  private final VirtualTicker ticker = new VirtualTicker();
  private final FabricEventLoop loop = new FabricEventLoop(lock, ticker);
  private final EventQueue<Frame> arrivals = new EventQueue<>();
  private final TimerQueue timers = new TimerQueue();
  private final FramePool pool = new FramePool();
  private final UlpActivity activity = new UlpActivity();
  private final UlpScheduler ulps;
  private final AddressTable addresses = new AddressTable();
  private final MulticastTable groups = new MulticastTable();
  private final List<Port> ports = new ArrayList<>();
  private final PacketLog log;
  private final RuleChecker ruleChecker = new RuleChecker(ports);
  private final ImpairmentTable impairments;
  private final @Nullable PcapngWriter capture;
  private @Nullable Port firstReady;
  private @Nullable Port lastReady;
  private @Nullable Throwable failure;
  private long frameNumber;
  private boolean isBusy;
  private boolean isClosed;

  /**
   * Makes a fabric without ports.
   *
   * @param seed where all chance comes from
   * @param trace hears of every packet
   * @param capture gets every frame; closed with the fabric; null for none
   * @param blockingLimitNanos how long, in real time, a ULP thread may keep its turn
   */
  public FabricCore(
      long seed, Trace trace, @Nullable PcapngWriter capture, long blockingLimitNanos) {
    this.ulps = new UlpScheduler(this, lock, activity, trace, blockingLimitNanos);
    this.log = new PacketLog(trace);
    this.impairments = new ImpairmentTable(seed);
    this.capture = capture;
  }

  /**
   * Adds a port. The caller has checked the arguments, and holds the lock.
   *
   * @param name name of its node, new in this fabric
   * @param latencyNanos one way, between the node and the switch
   * @param bitsPerSecond bandwidth each way; 0 for no limit
   * @param mtuBytes the longest IP packet
   * @param queueBytesMax how much the switch keeps waiting for the node
   * @return the port, without a device and without an address
   */
  public Port addPort(
      String name, long latencyNanos, long bitsPerSecond, int mtuBytes, int queueBytesMax) {
    Link link = new Link(latencyNanos, bitsPerSecond, mtuBytes, queueBytesMax);
    Port port = new Port(this, name, ports.size(), link, loop);
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

  /**
   * The virtual time.
   *
   * @return nanoseconds
   */
  public long nanoTime() {
    return ticker.nanoTime();
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
      ticker.advanceTo(Math.max(untilNanos, ticker.nanoTime()));
      return false;
    } finally {
      exit();
    }
  }

  private boolean nextEvent(long boundNanos) {
    if (loop.runTasks() > 0) {
      return true;
    }
    long arrivalNanos = arrivals.firstTimeNanos();
    long taskNanos = loop.nextTaskNanos();
    long othersNanos = Math.min(Math.min(arrivalNanos, taskNanos), boundNanos);
    long timerNanos = timers.nextDeadlineNanos(othersNanos);
    long nextNanos = Math.min(othersNanos, timerNanos);
    if (arrivalNanos == nextNanos) {
      ticker.advanceTo(nextNanos);
      Frame frame = arrivals.removeFirst();
      frame.routedDestination().arrive(frame, nextNanos);
    } else if (timerNanos == nextNanos) {
      ticker.advanceTo(nextNanos);
      timers.expireFirst(nextNanos);
    } else if (taskNanos == nextNanos) {
      ticker.advanceTo(nextNanos);
      loop.runTasks();
    } else {
      return false;
    }
    return true;
  }

  private void serveReadyPorts() {
    Port port = firstReady;
    while (port != null) {
      firstReady = port.nextReady();
      port.nextReady(null);
      port.isReady(false);
      port.transmit(ticker.nanoTime());
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
    timers.changed(timer, ticker.nanoTime());
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

  private void throwFailure() {
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

  UlpActivity activity() {
    return activity;
  }

  /**
   * Who lets the threads of the ULP run.
   *
   * @return always the same scheduler
   */
  public UlpScheduler ulps() {
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

  /** Whether the present call, which has entered once, is neither inside an event nor a call. */
  boolean mayWait() {
    return !isBusy && lock.isOutermost();
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

  FabricEventLoop loop() {
    return loop;
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
    lock.enter();
    try {
      if (!isClosed) {
        closePorts();
        isClosed = true;
        closeCapture();
        checkFrames();
      }
    } finally {
      lock.exit();
    }
  }

  private void closePorts() {
    while (!arrivals.isEmpty()) {
      arrivals.removeFirst().release();
    }
    for (Port port : ports) {
      port.close();
    }
    loop.terminate();
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
