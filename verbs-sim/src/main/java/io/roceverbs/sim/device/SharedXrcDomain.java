package io.roceverbs.sim.device;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** An XRC domain as all who have opened it see it: its shared receive queues and its targets. */
final class SharedXrcDomain {
  private final @Nullable String name;
  private final Set<SimSharedReceiveQueue> queues = new LinkedHashSet<>();
  private final SortedMap<Integer, XrcTargetQueues> targets = new TreeMap<>();
  private int openers;

  /**
   * Makes a domain that nobody has opened yet.
   *
   * @param name what others open it by, or null for one of a single opener
   */
  SharedXrcDomain(@Nullable String name) {
    this.name = name;
  }

  @Nullable String name() {
    return name;
  }

  /** Its open shared receive queues, in the order in which they were made. */
  Set<SimSharedReceiveQueue> queues() {
    return queues;
  }

  /** Its targets by their numbers. */
  SortedMap<Integer, XrcTargetQueues> targets() {
    return targets;
  }

  void addOpener() {
    openers++;
  }

  /** Returns whether it was the last one. */
  boolean removeOpener() {
    assert openers > 0 : "more were removed than added";
    openers--;
    return openers == 0;
  }
}
