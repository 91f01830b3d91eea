package io.roceverbs.sim.fabric;

import io.roceverbs.sim.ulp.UlpBody;
import io.roceverbs.sim.ulp.UlpThread;

/** A ULP thread in real time: it runs when the operating system lets it. */
final class OrdinaryThread implements UlpThread {
  private final OrdinaryThreads threads;
  private final String name;
  private final String node;
  private final boolean isService;
  private final UlpBody body;
  private final Thread thread;
  private volatile boolean isAlive = true;

  OrdinaryThread(
      OrdinaryThreads threads, String name, String node, boolean isService, UlpBody body) {
    this.threads = threads;
    this.name = name;
    this.node = node;
    this.isService = isService;
    this.body = body;
    this.thread = new Thread(this::run, toString());
    thread.setDaemon(true);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String node() {
    return node;
  }

  @Override
  public boolean isAlive() {
    return isAlive;
  }

  @Override
  public void join() {
    threads.join(this);
  }

  /** Whether it only serves the other threads, which nobody joins. */
  boolean isService() {
    return isService;
  }

  void start() {
    thread.start();
  }

  boolean isCurrent() {
    return Thread.currentThread() == thread;
  }

  /** Tells it, wherever it blocks, that its run is over. */
  void interrupt() {
    thread.interrupt();
  }

  StackTraceElement[] stack() {
    return thread.getStackTrace();
  }

  @SuppressWarnings("IllegalCatch")
  private void run() {
    Throwable thrown = null;
    try {
      body.run();
    } catch (Throwable e) { // whatever it is ends the run and is thrown to whoever joins
      thrown = e;
    }
    threads.ended(this, thrown);
  }

  /** Its body is over. */
  void end() {
    isAlive = false;
  }

  @Override
  public String toString() {
    return node.isEmpty()
        ? "thread \"" + name + "\""
        : "thread \"" + name + "\" of node \"" + node + "\"";
  }
}
