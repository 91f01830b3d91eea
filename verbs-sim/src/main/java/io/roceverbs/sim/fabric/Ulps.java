package io.roceverbs.sim.fabric;

import io.roceverbs.sim.device.PolledPlace;
import io.roceverbs.sim.device.UlpWait;
import io.roceverbs.sim.ulp.UlpBody;
import io.roceverbs.sim.ulp.UlpThread;
import java.util.function.BooleanSupplier;

/** The threads of the ULPs of one fabric, and the calls in which they and others wait. */
public interface Ulps {
  /** The most ULP threads of one fabric at a time. */
  int THREADS_MAX = 1_024;

  /**
   * Starts a thread.
   *
   * @param node name of its node
   * @param name its name
   * @param body what it does
   * @return the thread
   */
  UlpThread start(String node, String name, UlpBody body);

  /**
   * Starts a thread that only serves the others, so that nobody joins it.
   *
   * @param name its name
   * @param body what it does
   */
  void startService(String name, UlpBody body);

  /**
   * Whether the present thread is one of the ULP threads.
   *
   * @return whether it is
   */
  boolean isUlpThread();

  /** Waits until all threads have ended, without those that serve others. */
  void join();

  /** Waits until all threads have ended. */
  void joinAll();

  /**
   * Waits until all threads have ended, and nothing is left to happen by itself.
   *
   * @param eventsMax in virtual time, after so many events the fabric counts as one without an end
   */
  void awaitIdle(long eventsMax);

  /**
   * Waits for a condition of the ULP.
   *
   * @param what the condition in words, as it goes on after "waits for"
   * @param condition asked outside of the lock
   * @param untilNanos when the wait ends at the latest
   * @return whether it holds
   */
  boolean await(String what, BooleanSupplier condition, long untilNanos);

  /**
   * Lets threads run until none can, and then one event happen.
   *
   * @return whether there was one
   */
  boolean step();

  /** Ends all threads, since the fabric is being closed. */
  void stop();

  /** As {@link io.roceverbs.sim.device.DeviceHost#mayStayOutside} says. */
  boolean mayStayOutside();

  /** As {@link io.roceverbs.sim.device.DeviceHost#polledInVain} says. */
  void polledInVain(PolledPlace place);

  /** As {@link io.roceverbs.sim.device.DeviceHost#readyToPoll} says. */
  void readyToPoll(PolledPlace place);

  /** As {@link io.roceverbs.sim.device.DeviceHost#await} says. */
  boolean await(UlpWait wait, long untilNanos);

  /** As {@link io.roceverbs.sim.device.DeviceHost#awaitOthers} says. */
  boolean awaitOthers(UlpWait wait);

  /** As {@link io.roceverbs.sim.device.DeviceHost#signalChange} says. */
  void signalChange();
}
