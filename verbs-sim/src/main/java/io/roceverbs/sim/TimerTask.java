package io.roceverbs.sim;

import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RunnableScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A task of a {@link TimerExecutor}, once or again and again. Who waits for its result waits in
 * virtual time.
 */
final class TimerTask<V> extends FutureTask<V> implements RunnableScheduledFuture<V> {
  /** The period of a task that runs once. */
  static final long ONCE = 0;

  private final TimerExecutor executor;
  private final long periodNanos;
  private final boolean isWatched;
  private long dueNanos;
  private long sequence;
  private @Nullable Throwable thrown;

  /**
   * Makes a task.
   *
   * @param isWatched whether somebody got it as a future
   * @param dueNanos when it is due, in virtual time
   * @param periodNanos from start to start if positive, from end to start if negative, or {@link
   *     #ONCE}
   */
  TimerTask(
      TimerExecutor executor,
      Callable<V> body,
      boolean isWatched,
      long dueNanos,
      long periodNanos) {
    super(body);
    this.executor = executor;
    this.isWatched = isWatched;
    this.dueNanos = dueNanos;
    this.periodNanos = periodNanos;
  }

  /** Sets what orders it among tasks of one time. */
  void sequence(long value) {
    sequence = value;
  }

  boolean isWatched() {
    return isWatched;
  }

  long dueNanos() {
    return dueNanos;
  }

  @Override
  public void run() {
    if (!isPeriodic()) {
      super.run();
    } else if (runAndReset()) {
      dueNanos =
          periodNanos > 0
              ? TimerExecutor.later(dueNanos, periodNanos)
              : TimerExecutor.later(executor.nowNanos(), -periodNanos);
      executor.runAgain(this);
    }
  }

  @Override
  public boolean isPeriodic() {
    return periodNanos != ONCE;
  }

  @Override
  public V get() throws InterruptedException, ExecutionException {
    executor.awaitDone(this);
    return super.get();
  }

  @Override
  public V get(long timeout, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    if (!executor.awaitDone(this, unit.toNanos(timeout))) {
      throw new TimeoutException("the task was not done within " + timeout + " " + unit);
    }
    return super.get();
  }

  /** What the body threw, or null. Asked by who has run it. */
  @Nullable Throwable thrown() {
    return thrown;
  }

  @Override
  protected void setException(Throwable cause) {
    thrown = cause;
    super.setException(cause);
  }

  @Override
  protected void done() {
    if (isCancelled()) {
      executor.remove(this);
    }
  }

  @Override
  public long getDelay(TimeUnit unit) {
    return unit.convert(dueNanos - executor.nowNanos(), TimeUnit.NANOSECONDS);
  }

  @Override
  public int compareTo(Delayed other) {
    if (other instanceof TimerTask<?> task && task.executor == executor) {
      int byTime = Long.compare(dueNanos, task.dueNanos);
      return byTime != 0 ? byTime : Long.compare(sequence, task.sequence);
    }
    return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
  }
}
