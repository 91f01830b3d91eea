package io.roceverbs.sim.fabric;

import io.netty.channel.EventLoop;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * Real time: an ordinary event loop, for which the events of the fabric are its I/O. One loop
 * serves all ports, since to wake one thread from another costs far more than a packet.
 */
final class RealDrive implements Drive {
  private final long startNanos = System.nanoTime();
  private final EventIoHandler events;
  private final IoEventLoopGroup group;
  private final EventLoop loop;

  RealDrive(FabricCore core) {
    this.events = new EventIoHandler(core);
    this.group =
        new MultiThreadIoEventLoopGroup(
            1, new DefaultThreadFactory("fabric", true), executor -> events);
    this.loop = group.next();
  }

  @Override
  public EventLoop loop() {
    return loop;
  }

  @Override
  public long nanoTime() {
    return System.nanoTime() - startNanos;
  }

  @Override
  public long advanceTo(long timeNanos) {
    return nanoTime();
  }

  @Override
  public int runTasks() {
    return 0; // the loop does, between events
  }

  @Override
  public long nextTaskNanos() {
    return EventQueue.NEVER;
  }

  @Override
  public void wake() {
    events.wakeup();
  }

  @Override
  public void close(Runnable closePorts) {
    try {
      loop.submit(closePorts).syncUninterruptibly();
    } finally {
      group.shutdownGracefully(0, 0, TimeUnit.NANOSECONDS).awaitUninterruptibly();
    }
  }
}
