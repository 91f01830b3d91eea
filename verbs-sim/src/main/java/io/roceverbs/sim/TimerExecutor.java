package io.roceverbs.sim;

import io.roceverbs.sim.device.DeviceTimer;
import io.roceverbs.sim.fabric.FabricCore;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Timers in virtual time: a queue of tasks, and one ULP thread that runs them while there are any.
 *
 * <p>As with {@link java.util.concurrent.ScheduledThreadPoolExecutor}, a shutdown cancels what runs
 * again and again and lets the rest run. A cancelled task is taken out of the queue at once, so
 * that time does not pass for its sake. The queue is guarded by the lock of the fabric.
 */
final class TimerExecutor extends AbstractExecutorService implements ScheduledExecutorService {
  private final FabricCore core;
  private final PriorityQueue<TimerTask<?>> queue = new PriorityQueue<>();
  private long lastSequence;
  private boolean isServing;
  private @Nullable Thread runner;

  /** Counts changes of the queue, each of which may change what is due next. */
  private final AtomicLong changes = new AtomicLong();

  private volatile boolean isShutdown;
  private volatile boolean isIdle = true;

  TimerExecutor(FabricCore core) {
    this.core = core;
  }

  /** A later time, or the end of all times. */
  static long later(long nanos, long delayNanos) {
    return Math.min(nanos + Math.min(delayNanos, FabricCore.NO_BOUND), FabricCore.NO_BOUND);
  }

  long nowNanos() {
    core.enter();
    try {
      return core.nanoTime();
    } finally {
      core.exit();
    }
  }

  // ---- handing tasks over --------------------------------------------------------------------

  @Override
  public void execute(Runnable command) {
    if (command instanceof TimerTask<?> task) {
      accept(task); // made by newTaskFor: its future tells how it went
    } else {
      accept(new TimerTask<>(this, Executors.callable(command), false, nowNanos(), TimerTask.ONCE));
    }
  }

  @Override
  protected <T> RunnableFuture<T> newTaskFor(Callable<T> callable) {
    return new TimerTask<>(this, callable, true, nowNanos(), TimerTask.ONCE);
  }

  @Override
  protected <T> RunnableFuture<T> newTaskFor(Runnable runnable, T value) {
    return newTaskFor(Executors.callable(runnable, value));
  }

  @Override
  public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
    return schedule(Executors.callable(command), delay, unit);
  }

  @Override
  public <V> ScheduledFuture<V> schedule(Callable<V> callable, long delay, TimeUnit unit) {
    return add(task(callable, unit.toNanos(delay), TimerTask.ONCE));
  }

  @Override
  public ScheduledFuture<?> scheduleAtFixedRate(
      Runnable command, long initialDelay, long period, TimeUnit unit) {
    return add(task(Executors.callable(command), unit.toNanos(initialDelay), nanos(period, unit)));
  }

  @Override
  public ScheduledFuture<?> scheduleWithFixedDelay(
      Runnable command, long initialDelay, long delay, TimeUnit unit) {
    return add(task(Executors.callable(command), unit.toNanos(initialDelay), -nanos(delay, unit)));
  }

  private static long nanos(long period, TimeUnit unit) {
    if (period <= 0) {
      throw new IllegalArgumentException(
          "period " + period + " is not more than 0: the task would never let time pass");
    }
    return unit.toNanos(period);
  }

  private <V> TimerTask<V> task(Callable<V> body, long delayNanos, long periodNanos) {
    return new TimerTask<>(
        this, body, true, later(nowNanos(), Math.max(delayNanos, 0)), periodNanos);
  }

  private <V> TimerTask<V> add(TimerTask<V> task) {
    accept(task);
    return task;
  }

  private void accept(TimerTask<?> task) {
    core.enter();
    try {
      if (isShutdown) {
        throw new RejectedExecutionException("the timer service was shut down");
      }
      enqueue(task);
    } finally {
      core.exit();
    }
  }

  private void enqueue(TimerTask<?> task) {
    task.sequence(++lastSequence);
    queue.add(task);
    changes.incrementAndGet();
    isIdle = false;
    if (!isServing) {
      isServing = true;
      core.ulps().startService("timers", this::serve);
    }
  }

  /** Puts a task that runs again and again back into the queue. */
  void runAgain(TimerTask<?> task) {
    core.enter();
    try {
      if (isShutdown) {
        task.cancel(false);
      } else {
        enqueue(task);
      }
    } finally {
      core.exit();
    }
  }

  /** Takes a task out that was cancelled. */
  void remove(TimerTask<?> task) {
    core.enter();
    try {
      if (queue.remove(task)) {
        changes.incrementAndGet();
        isIdle = queue.isEmpty() && runner == null;
      }
    } finally {
      core.exit();
    }
  }

  // ---- running tasks -------------------------------------------------------------------------

  /** Runs tasks as they become due, until there are none. The body of the ULP thread. */
  private void serve() throws Exception {
    try {
      TimerTask<?> task = next();
      while (task != null) {
        task.run();
        throwUnwatched(task);
        task = next();
      }
    } finally {
      endServing();
    }
  }

  private static void throwUnwatched(TimerTask<?> task) throws Exception {
    Throwable thrown = task.thrown();
    if (thrown != null && !task.isWatched()) {
      if (thrown instanceof Error error) {
        throw error;
      }
      throw (Exception) thrown;
    }
  }

  /** Waits for the next task to become due, and takes it out; null if there is none any more. */
  private @Nullable TimerTask<?> next() {
    while (true) {
      long seen;
      long dueNanos;
      core.enter();
      try {
        TimerTask<?> first = queue.peek();
        if (first == null || first.dueNanos() <= core.nanoTime()) {
          queue.poll();
          runner = first == null ? null : Thread.currentThread();
          isIdle = first == null;
          isServing = first != null;
          return first;
        }
        runner = null;
        seen = changes.get();
        dueNanos = first.dueNanos();
      } finally {
        core.exit();
      }
      core.ulps().await("the next timer", () -> changes.get() != seen, dueNanos);
    }
  }

  /** The thread ends with the last task, or since its run has ended; a new task gets a new one. */
  private void endServing() {
    core.enter();
    try {
      runner = null;
      isServing = false;
      isIdle = queue.isEmpty();
    } finally {
      core.exit();
    }
  }

  // ---- the end -------------------------------------------------------------------------------

  @Override
  public void shutdown() {
    core.enter();
    try {
      isShutdown = true;
      List.copyOf(queue).stream().filter(TimerTask::isPeriodic).forEach(task -> task.cancel(false));
    } finally {
      core.exit();
    }
  }

  @Override
  public List<Runnable> shutdownNow() {
    core.enter();
    try {
      isShutdown = true;
      List<Runnable> left = new ArrayList<>();
      for (TimerTask<?> task = queue.poll(); task != null; task = queue.poll()) {
        left.add(task);
      }
      changes.incrementAndGet();
      isIdle = runner == null;
      if (runner != null) {
        runner.interrupt();
      }
      return left;
    } finally {
      core.exit();
    }
  }

  @Override
  public boolean isShutdown() {
    return isShutdown;
  }

  @Override
  public boolean isTerminated() {
    return isShutdown && isIdle;
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) {
    return await("the end of its timers", this::isTerminated, unit.toNanos(timeout));
  }

  // ---- waiting for results -------------------------------------------------------------------

  void awaitDone(Future<?> task) {
    if (!task.isDone()) {
      core.ulps().await("the result of a timer", task::isDone, DeviceTimer.NEVER);
    }
  }

  boolean awaitDone(Future<?> task, long timeoutNanos) {
    return task.isDone() || await("the result of a timer", task::isDone, timeoutNanos);
  }

  private boolean await(String what, BooleanSupplier condition, long timeoutNanos) {
    return core.ulps().await(what, condition, later(nowNanos(), Math.max(timeoutNanos, 0)));
  }

  @Override
  public <T> List<Future<T>> invokeAll(
      Collection<? extends Callable<T>> tasks, long timeout, TimeUnit unit) {
    List<Future<T>> futures = submitAll(tasks);
    await(
        "the results of timers",
        () -> futures.stream().allMatch(Future::isDone),
        unit.toNanos(timeout));
    futures.forEach(future -> future.cancel(true));
    return futures;
  }

  @Override
  public <T> T invokeAny(Collection<? extends Callable<T>> tasks) throws ExecutionException {
    try {
      return invokeAny(tasks, Long.MAX_VALUE, TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new AssertionError("time has no end here", e);
    }
  }

  @Override
  public <T> T invokeAny(Collection<? extends Callable<T>> tasks, long timeout, TimeUnit unit)
      throws ExecutionException, TimeoutException {
    if (tasks.isEmpty()) {
      throw new IllegalArgumentException("there is no task to wait for");
    }
    List<Future<T>> futures = submitAll(tasks);
    await(
        "the result of one of its timers",
        () -> firstGood(futures) != null || futures.stream().allMatch(Future::isDone),
        unit.toNanos(timeout));
    Future<T> good = firstGood(futures);
    boolean isOver = futures.stream().allMatch(Future::isDone);
    futures.forEach(future -> future.cancel(true));
    if (good == null && !isOver) {
      throw new TimeoutException("no task was done within " + timeout + " " + unit);
    }
    return result(good == null ? futures.get(futures.size() - 1) : good);
  }

  private <T> List<Future<T>> submitAll(Collection<? extends Callable<T>> tasks) {
    List<Future<T>> futures = new ArrayList<>(tasks.size());
    for (Callable<T> task : tasks) {
      futures.add(submit(task));
    }
    return futures;
  }

  private static <T> @Nullable Future<T> firstGood(List<Future<T>> futures) {
    for (Future<T> future : futures) {
      if (future instanceof TimerTask<T> task
          && task.isDone()
          && !task.isCancelled()
          && task.thrown() == null) {
        return future;
      }
    }
    return null;
  }

  private static <T> T result(Future<T> done) throws ExecutionException {
    try {
      return done.get();
    } catch (InterruptedException e) {
      throw new AssertionError("a result that is there is not waited for", e);
    }
  }
}
