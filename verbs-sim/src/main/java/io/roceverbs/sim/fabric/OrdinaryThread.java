package io.roceverbs.sim.fabric;

import io.roceverbs.sim.ulp.UlpBody;

/** A ULP thread in real time: it runs when the operating system lets it. */
final class OrdinaryThread extends FabricThread {
  private final OrdinaryThreads threads;
  private final UlpBody body;
  private final Thread thread;

  OrdinaryThread(
      OrdinaryThreads threads, String name, String node, boolean isService, UlpBody body) {
    super(threads, name, node, isService);
    this.threads = threads;
    this.body = body;
    this.thread = new Thread(this::run, toString());
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  @Override
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
}
