package io.roceverbs.sim.fabric;

import io.roceverbs.sim.ulp.UlpThread;

/** What is the same of ULP threads in virtual and in real time: who they are. */
abstract class FabricThread implements UlpThread {
  private final FabricThreads threads;
  private final String name;
  private final String node;
  private final boolean isService;
  private volatile boolean isAlive = true;

  FabricThread(FabricThreads threads, String name, String node, boolean isService) {
    this.threads = threads;
    this.name = name;
    this.node = node;
    this.isService = isService;
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final String node() {
    return node;
  }

  @Override
  public final boolean isAlive() {
    return isAlive;
  }

  @Override
  public final void join() {
    threads.join(this);
  }

  /** Whether it is the thread that asks. */
  abstract boolean isCurrent();

  /** Whether it only serves the other threads, which nobody joins. */
  final boolean isService() {
    return isService;
  }

  /** Its body is over. */
  final void end() {
    isAlive = false;
  }

  @Override
  public final String toString() {
    return node.isEmpty()
        ? "thread \"" + name + "\""
        : "thread \"" + name + "\" of node \"" + node + "\"";
  }
}
