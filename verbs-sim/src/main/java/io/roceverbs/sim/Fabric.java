package io.roceverbs.sim;

import io.roceverbs.sim.device.DeviceHost;
import io.roceverbs.sim.device.DeviceTimer;
import io.roceverbs.sim.fabric.FabricCore;
import io.roceverbs.sim.fabric.impair.ActiveRule;
import io.roceverbs.sim.fabric.impair.Impairment;
import io.roceverbs.sim.fabric.impair.Rule;
import io.roceverbs.sim.fault.ActiveFault;
import io.roceverbs.sim.fault.HeldCompletions;
import io.roceverbs.sim.fault.VerbsFault;
import io.roceverbs.sim.profile.DeviceProfile;
import io.roceverbs.sim.trace.Trace;
import io.roceverbs.sim.trace.TraceEvent;
import io.roceverbs.sim.ulp.UlpBlockedException;
import io.roceverbs.sim.ulp.UlpStoppedException;
import io.roceverbs.sim.ulp.UlpStuckException;
import io.roceverbs.sim.ulp.UlpThread;
import io.roceverbs.sim.ulp.UlpThreadException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.BooleanSupplier;

/**
 * A simulated RoCEv2 network: nodes around one switch, in virtual time or, by {@link Builder#time},
 * in real time.
 *
 * <p>Any thread may call any method; one thing happens at a time. Threads that are started through
 * {@link Node#startThread} take turns in virtual time. The methods that let time pass can't be
 * called from inside an event, such as a completion callback.
 *
 * <p>In real time these methods wait until time has passed by itself. Nobody can know then that
 * nothing will ever come, so none of them throws {@link UlpStuckException}; they end when the
 * thread is interrupted, with an {@link UlpStoppedException}. What fails in an event is thrown by
 * the next call that waits or polls in vain, or else by {@link #close()}. After {@link #close()}
 * every method but {@link #seed()}, {@link #trace()}, {@link #nodes()}, {@link #leaks()} and {@code
 * close()} itself throws {@link IllegalStateException}.
 */
public final class Fabric implements AutoCloseable {
  /** The seed of a fabric that was not given one. */
  public static final long DEFAULT_SEED = 1;

  /** How many events {@link #run()} waits for before it takes the fabric for one without an end. */
  public static final long RUN_EVENTS_MAX = 100_000_000L;

  /** How long a ULP thread may keep its turn if the fabric was not told otherwise. */
  public static final Duration DEFAULT_BLOCKING_LIMIT = Duration.ofSeconds(10);

  /** When the time of every fabric begins, for its {@link #clock()}. */
  public static final Instant EPOCH = DeviceHost.EPOCH;

  private final long seed;
  private final Trace trace = new Trace();
  private final FabricCore core;
  private final NodeFactory nodes;
  private final LeakReport leakReport;

  private Fabric(Builder builder) {
    this.seed = builder.seed;
    this.core =
        new FabricCore(
            builder.time == FabricTime.REAL,
            seed,
            trace,
            builder.capture.open(),
            nanos(builder.blockingLimit));
    this.nodes =
        new NodeFactory(
            core,
            trace,
            builder.link,
            builder.profile,
            seed,
            builder.devices,
            builder.leakCheck != LeakCheck.OFF);
    if (!builder.impairment.equals(Impairment.NONE)) {
      core.impair(builder.impairment);
    }
    this.leakReport = new LeakReport(builder.leakCheck);
    OpenFabrics.add(this);
  }

  /**
   * Makes a fabric with everything left at its default.
   *
   * @return a fabric without nodes
   */
  public static Fabric create() {
    return builder().build();
  }

  /**
   * Begins to describe a fabric.
   *
   * @return a builder with everything at its default
   */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Adds a node with the default link and the next addresses.
   *
   * @param name new in this fabric, see {@link NodeConfiguration}
   * @return the node
   * @throws IllegalArgumentException if the name is not legal or not new
   */
  public Node addNode(String name) {
    return addNode(NodeConfiguration.named(name));
  }

  /**
   * Adds a node.
   *
   * @param configuration what is special about it
   * @return the node
   * @throws IllegalArgumentException if its name or an address is not new
   */
  public Node addNode(NodeConfiguration configuration) {
    Node node;
    core.enter();
    try {
      node = nodes.create(configuration);
    } finally {
      core.exit();
    }
    node.ports().forEach(port -> port.port().awaitRegistration());
    return node;
  }

  /**
   * The nodes, in the order in which they were added.
   *
   * @return a copy, which does not change when further nodes are added
   */
  public List<Node> nodes() {
    return nodes.all();
  }

  /**
   * Puts a rule to work, after those that are there.
   *
   * @param rule the fault
   * @return the rule at work, which counts, and takes itself out when closed
   * @throws IllegalArgumentException if it could never match, such as for a node that there is not
   */
  public ActiveRule impair(Rule rule) {
    return core.add(rule);
  }

  /**
   * Sets the faults by chance of all directions that have none of their own.
   *
   * @param impairment the chances
   */
  public void impair(Impairment impairment) {
    core.impair(impairment);
  }

  /**
   * Sets the faults by chance of one direction, over all ports, instead of those of the whole
   * fabric.
   *
   * @param from the sending node
   * @param to the destination
   * @param impairment the chances
   */
  public void impair(Node from, Node to, Impairment impairment) {
    core.enter();
    try {
      nodes.checkOwn(from);
      nodes.checkOwn(to);
      for (NodePort source : from.ports()) {
        for (NodePort destination : to.ports()) {
          core.impair(source.port(), destination.port(), impairment);
        }
      }
    } finally {
      core.exit();
    }
  }

  /**
   * Lets something go wrong at the verbs of a node, behind the faults that are there.
   *
   * @param fault what
   * @return the fault at work, which counts, and takes itself out when closed; a {@link
   *     HeldCompletions} for a {@link VerbsFault.HoldCompletions}
   * @throws IllegalArgumentException if there is no such node
   */
  public ActiveFault inject(VerbsFault fault) {
    core.enter();
    try {
      return nodes.require(fault.node()).simulated().inject(fault);
    } finally {
      core.exit();
    }
  }

  /**
   * Holds completions back, as {@link #inject(VerbsFault)} does with the fault in its text form
   * {@code hold:target#first+}.
   *
   * @param fault whose completions, from which on
   * @return what it holds
   * @throws IllegalArgumentException if there is no such node
   */
  public HeldCompletions hold(VerbsFault.HoldCompletions fault) {
    return (HeldCompletions) inject(fault);
  }

  /**
   * Lets everything happen that is going to happen by itself: all ULP threads run to their end, all
   * timers of {@link #scheduledExecutor()} run out, and all packets arrive.
   *
   * @throws IllegalStateException if that takes, in virtual time, more than {@link #RUN_EVENTS_MAX}
   *     events; or if called by a ULP thread or from inside an event
   * @throws UlpThreadException if a ULP thread fails
   * @throws UlpStuckException if ULP threads wait for what never comes
   * @throws UlpBlockedException if a ULP thread keeps its turn for too long
   */
  public void run() {
    checkOutsideEvent("run");
    checkNoUlpThread("run");
    core.ulps().awaitIdle(RUN_EVENTS_MAX);
  }

  /**
   * Lets all ULP threads run to their end. Packets that are on their way then stay there, and
   * timers of {@link #scheduledExecutor()} go on.
   *
   * <p>{@link UlpThread#join()} waits for one thread; others that serve it may go on waiting, and
   * are unwound when the fabric is closed.
   *
   * @throws IllegalStateException if called by a ULP thread or from inside an event
   * @throws UlpThreadException if a ULP thread fails; the others are unwound by then
   * @throws UlpStuckException if they wait for what never comes; they are unwound by then
   * @throws UlpBlockedException if a ULP thread keeps its turn for too long; the others are unwound
   *     by then
   */
  public void join() {
    checkOutsideEvent("join");
    checkNoUlpThread("join");
    core.ulps().join();
  }

  /**
   * Lets a time pass, and all that happens in it happen. For a thread that is not one of the ULP;
   * {@link #sleep} is the same.
   *
   * @param time 0 or more
   */
  public void runFor(Duration time) {
    checkOutsideEvent("runFor");
    sleep(time);
  }

  /**
   * Lets time pass until a condition holds. {@link #await(BooleanSupplier, Duration)} is the same.
   *
   * @param condition looked at before the first and after every event, outside of the fabric's lock
   * @param within how long at most, 0 or more
   * @return whether it holds; if not, the whole time has passed
   */
  public boolean runUntil(BooleanSupplier condition, Duration within) {
    checkOutsideEvent("runUntil");
    return await(condition, within);
  }

  /**
   * Lets the next event happen, after all ULP threads that can run have done so. That the sleep of
   * a ULP thread is over is an event as well.
   *
   * @return whether there was one
   * @throws IllegalStateException in real time, where events happen by themselves
   */
  public boolean step() {
    checkOutsideEvent("step");
    return core.ulps().step();
  }

  /**
   * Sleeps in the fabric's time, while other ULP threads run. Of one virtual time, events come
   * before those who sleep until then.
   *
   * @param time 0 or more; with 0, all that happens at the present time happens first
   * @throws IllegalStateException if called from inside an event
   */
  public void sleep(Duration time) {
    core.ulps().await("the end of its sleep", () -> false, timeAfter(time));
  }

  /**
   * Waits in the fabric's time until a condition holds, such as that another thread has done its
   * part.
   *
   * <p>The condition is asked after each event and each time another ULP thread has run, on
   * whichever thread has the turn then, outside of the fabric's lock; in real time by the waiting
   * thread, after events and each millisecond. It must be cheap and change nothing.
   *
   * @param condition what to wait for; if it throws, this call throws that
   * @throws UlpStuckException if it can't come true, since nothing is left to happen
   * @throws IllegalStateException if called from inside an event
   */
  public void await(BooleanSupplier condition) {
    await("a condition", condition);
  }

  /**
   * Waits in the fabric's time until a condition holds, which has a name for reports.
   *
   * @param what the condition, as it goes on after "waits for", such as {@code a free credit}
   * @param condition what to wait for, see {@link #await(BooleanSupplier)}
   * @throws UlpStuckException if it can't come true, since nothing is left to happen
   * @throws IllegalStateException if called from inside an event
   */
  public void await(String what, BooleanSupplier condition) {
    core.ulps().await(what, condition, DeviceTimer.NEVER);
  }

  /**
   * Waits in the fabric's time until a condition holds, or a time is over.
   *
   * @param condition what to wait for, see {@link #await(BooleanSupplier)}
   * @param within how long at most, 0 or more
   * @return whether it holds; if not, the whole time has passed
   * @throws IllegalStateException if called from inside an event
   */
  public boolean await(BooleanSupplier condition, Duration within) {
    return core.ulps().await("a condition", condition, timeAfter(within));
  }

  /**
   * Makes a timer service in the fabric's time, for the timeouts and keep-alives of a ULP.
   *
   * <p>Its tasks run one after another on a ULP thread of its own, so they may call verbs and wait.
   * {@code get()} on its futures, {@code awaitTermination} and {@code invokeAll} wait in virtual
   * time too. Nobody has to shut it down. A task that was handed over with {@code execute} and
   * throws ends the run like a ULP thread; of other tasks, the future tells.
   *
   * @return a new service; each call makes one
   */
  public ScheduledExecutorService scheduledExecutor() {
    return new TimerExecutor(core);
  }

  /**
   * The fabric's time as a clock, which stands at {@link #EPOCH} when the fabric is made.
   *
   * @return a clock in UTC
   */
  public Clock clock() {
    return new FabricClock(this, ZoneOffset.UTC);
  }

  private void checkNoUlpThread(String call) {
    if (core.ulps().isUlpThread()) {
      throw new IllegalStateException(
          call + " waits for the end of all ULP threads, so none of them can call it");
    }
  }

  private void checkOutsideEvent(String call) {
    if (core.isInsideEvent()) {
      throw new IllegalStateException(
          call
              + " was called from inside an event of the fabric, such as a completion callback;"
              + " return from it first");
    }
  }

  private static long nanos(Duration time) {
    return time.compareTo(Duration.ofNanos(Long.MAX_VALUE)) > 0 ? Long.MAX_VALUE : time.toNanos();
  }

  private long timeAfter(Duration time) {
    if (time.isNegative()) {
      throw new IllegalArgumentException("time " + time + " is negative; time only goes forward");
    }
    long now = nanoTime();
    long most = FabricCore.NO_BOUND - now;
    return time.compareTo(Duration.ofNanos(most)) > 0 ? FabricCore.NO_BOUND : now + time.toNanos();
  }

  /**
   * The fabric's time, in nanoseconds since it was made.
   *
   * @return nanoseconds, which never go back
   */
  public long nanoTime() {
    core.enter();
    try {
      return core.nanoTime();
    } finally {
      core.exit();
    }
  }

  /**
   * Where all chance comes from: equal seeds and equal calls give equal runs.
   *
   * @return the seed
   */
  public long seed() {
    return seed;
  }

  /**
   * The log of all that happens.
   *
   * @return the log, which outlives the fabric
   */
  public Trace trace() {
    return trace;
  }

  /**
   * Lets a ULP say something about itself, which appears among the events of the trace.
   *
   * @param node at which it happened
   * @param text what happened, in a few words
   */
  public void note(Node node, String text) {
    core.enter();
    try {
      nodes.checkOwn(node);
      if (trace.isRecording()) {
        trace.record(new TraceEvent.Noted(core.nanoTime(), node.name(), text));
      }
    } finally {
      core.exit();
    }
  }

  /**
   * The verbs objects that are open.
   *
   * @return by node, those made first at the beginning; after {@link #close()} those that it found
   */
  public List<Leak> leaks() {
    if (!core.tryEnter()) {
      return leakReport.leaks();
    }
    try {
      return nodes.leaks();
    } finally {
      core.exit();
    }
  }

  /**
   * Takes the fabric down, whatever is still in flight. Verbs objects that are open are a leak of
   * the program, and are reported as its {@link LeakCheck} says. Again: no effect.
   *
   * <p>ULP threads that are still there are unwound: whatever they wait for throws an {@link
   * UlpStoppedException}.
   *
   * @throws IllegalStateException if called by a ULP thread or from inside an event
   * @throws UlpThreadException if a ULP thread fails while it is unwound
   * @throws LeakException if objects are open, and the fabric was made with {@link LeakCheck#FAIL};
   *     it is closed all the same
   */
  @Override
  public void close() {
    checkOutsideEvent("close");
    checkNoUlpThread("close");
    OpenFabrics.remove(this);
    try {
      core.ulps().stop();
    } finally {
      closeCore();
    }
    leakReport.report();
  }

  private void closeCore() {
    if (!core.tryEnter()) {
      return;
    }
    try {
      leakReport.found(nodes.leaks());
    } finally {
      core.exit();
    }
    core.close();
  }

  /** What a fabric is to be like. */
  public static final class Builder {
    private long seed = DEFAULT_SEED;
    private FabricTime time = FabricTime.VIRTUAL;
    private Duration blockingLimit = DEFAULT_BLOCKING_LIMIT;
    private LinkConfiguration link = LinkConfiguration.DEFAULT;
    private DeviceProfile profile = DeviceProfile.strict();
    private Impairment impairment = Impairment.NONE;
    private LeakCheck leakCheck = LeakCheck.WARN;
    private DeviceFactory devices = DeviceFactory::simulated;
    private CaptureTarget capture = CaptureTarget.NONE;

    private Builder() {}

    /**
     * Where all chance comes from; {@link #DEFAULT_SEED} if left out.
     *
     * @param value any number
     * @return this builder
     */
    public Builder seed(long value) {
      this.seed = value;
      return this;
    }

    /**
     * By which clock the fabric runs; {@link FabricTime#VIRTUAL} if left out.
     *
     * @param value one of the two
     * @return this builder
     */
    public Builder time(FabricTime value) {
      this.time = value;
      return this;
    }

    /**
     * The link of every node that has none of its own.
     *
     * @param configuration the link
     * @return this builder
     */
    public Builder link(LinkConfiguration configuration) {
      this.link = configuration;
      return this;
    }

    /**
     * The kind of device of every node that has none of its own; {@link DeviceProfile#strict()} if
     * left out.
     *
     * @param kind the profile
     * @return this builder
     */
    public Builder profile(DeviceProfile kind) {
      this.profile = kind;
      return this;
    }

    /**
     * Faults by chance in all directions; none if left out.
     *
     * @param faults the chances
     * @return this builder
     */
    public Builder impairment(Impairment faults) {
      this.impairment = faults;
      return this;
    }

    /**
     * Captures every frame into a pcapng file, which is replaced if it is there.
     *
     * <p>A frame is in it as it left its node; a comment says what a rule or chance does to it. One
     * that a queue of the switch marks as congested follows once more with the mark, on an
     * interface {@code switch}.
     *
     * @param file where to
     * @return this builder
     */
    public Builder capture(Path file) {
      this.capture = new CaptureTarget(file, null);
      return this;
    }

    /**
     * Captures every frame as pcapng into a stream, which is closed with the fabric.
     *
     * @param stream where to
     * @return this builder
     */
    public Builder capture(OutputStream stream) {
      this.capture = new CaptureTarget(null, stream);
      return this;
    }

    /**
     * What closing the fabric does about verbs objects that are open; {@link LeakCheck#WARN} if
     * left out.
     *
     * @param check one of the three
     * @return this builder
     */
    public Builder leakCheck(LeakCheck check) {
      this.leakCheck = check;
      return this;
    }

    /**
     * How long, in real time, a ULP thread may keep its turn; {@link #DEFAULT_BLOCKING_LIMIT} if
     * left out. One that keeps it longer blocks somewhere that the fabric doesn't know of: it is
     * interrupted and left to itself, the others are unwound, and whoever joins gets an {@link
     * UlpBlockedException} with its stack. Raise it to look at a ULP in a debugger. In real time,
     * it is how long {@link Fabric#close()} waits for a ULP thread that it has interrupted.
     *
     * @param limit more than 0
     * @return this builder
     * @throws IllegalArgumentException if it is not more than 0
     */
    public Builder blockingLimit(Duration limit) {
      if (limit.isNegative() || limit.isZero()) {
        throw new IllegalArgumentException("blocking limit " + limit + " is not more than 0");
      }
      this.blockingLimit = limit;
      return this;
    }

    Builder devices(DeviceFactory factory) {
      this.devices = factory;
      return this;
    }

    /**
     * Makes the fabric.
     *
     * @return a fabric without nodes
     * @throws IllegalArgumentException if the capture can't be written
     */
    public Fabric build() {
      return new Fabric(this);
    }
  }
}
