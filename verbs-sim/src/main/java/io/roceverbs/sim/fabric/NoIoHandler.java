package io.roceverbs.sim.fabric;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoRegistration;

/** The I/O of an event loop whose channels have none: frames come from the event queue. */
final class NoIoHandler implements IoHandler {
  @Override
  public int run(IoHandlerContext context) {
    return 0;
  }

  @Override
  public IoRegistration register(IoHandle handle) {
    throw new UnsupportedOperationException("the event loop of a virtual fabric does no I/O");
  }

  @Override
  public void wakeup() {
    // Nobody waits: the next turn looks for tasks by itself.
  }

  @Override
  public boolean isCompatible(Class<? extends IoHandle> handleType) {
    return false;
  }
}
