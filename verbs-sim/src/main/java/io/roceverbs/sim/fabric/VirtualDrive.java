package io.roceverbs.sim.fabric;

import io.netty.channel.EventLoop;

/** Virtual time: an event happens when a call of the program asks for it, and the clock jumps. */
final class VirtualDrive implements Drive {
  private final VirtualTicker ticker = new VirtualTicker();
  private final FabricLock lock;
  private final FabricEventLoop loop;

  VirtualDrive(FabricLock lock) {
    this.lock = lock;
    this.loop = new FabricEventLoop(lock, ticker);
  }

  @Override
  public EventLoop loop() {
    return loop;
  }

  @Override
  public long nanoTime() {
    return ticker.nanoTime();
  }

  @Override
  public long advanceTo(long timeNanos) {
    ticker.advanceTo(timeNanos);
    return timeNanos;
  }

  @Override
  public int runTasks() {
    return loop.runTasks();
  }

  @Override
  public long nextTaskNanos() {
    return loop.nextTaskNanos();
  }

  @Override
  public void wake() {
    // Nobody waits in this loop: who holds the lock drives it.
  }

  @Override
  public void close(Runnable closePorts) {
    lock.enter();
    try {
      closePorts.run();
      loop.terminate();
    } finally {
      lock.exit();
    }
  }
}
