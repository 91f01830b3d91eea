package io.roceverbs.sim.device;

import io.roceverbs.sim.fault.ActiveFault;
import io.roceverbs.sim.fault.ResourceKind;
import io.roceverbs.sim.fault.VerbsFault;
import io.roceverbs.verbs.PostException;
import io.roceverbs.verbs.VerbsException;
import io.roceverbs.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The faults at work on a device. A device without any has no such object, so that the data path
 * pays one comparison.
 *
 * <p>Rule INJECTED-FAULT: all faults count all that they describe, the first that hits decides, and
 * all else stays as it would be: a refused call has changed nothing, a completion with other words
 * frees the queue slots of the true one.
 */
final class InjectedFaults implements VerbsFault.Visitor<ActiveFault> {
  /** More faults than this at a time are a leak, not a test. */
  private static final int FAULTS_MAX = 4_096;

  private final SimDevice device;
  private final List<InstalledFault<VerbsFault.FailPost>> posts = new ArrayList<>();
  private final List<InstalledFault<VerbsFault.FailCreation>> creations = new ArrayList<>();
  private final List<CompletionFault<?>> completions = new ArrayList<>();

  InjectedFaults(SimDevice device) {
    this.device = device;
  }

  ActiveFault add(VerbsFault fault) {
    if (posts.size() + creations.size() + completions.size() >= FAULTS_MAX) {
      throw new IllegalStateException(
          "a device takes at most " + FAULTS_MAX + " faults at a time; close those not needed");
    }
    return fault.accept(this);
  }

  @Override
  public ActiveFault failPost(VerbsFault.FailPost fault) {
    return installed(posts, new InstalledFault<>(device, fault));
  }

  @Override
  public ActiveFault failCreation(VerbsFault.FailCreation fault) {
    return installed(creations, new InstalledFault<>(device, fault));
  }

  @Override
  public ActiveFault rewriteCompletion(VerbsFault.RewriteCompletion fault) {
    return installed(completions, new RewrittenCompletion(device, fault));
  }

  @Override
  public ActiveFault inventCompletion(VerbsFault.InventCompletion fault) {
    return installed(completions, new InventedCompletion(device, fault));
  }

  @Override
  public ActiveFault holdCompletions(VerbsFault.HoldCompletions fault) {
    return installed(completions, new CompletionHold(device, fault));
  }

  private static <T extends ActiveFault> ActiveFault installed(List<? super T> list, T fault) {
    list.add(fault);
    return fault;
  }

  void remove(InstalledFault<?> fault) {
    posts.remove(fault);
    creations.remove(fault);
    completions.remove(fault);
    if (posts.isEmpty() && creations.isEmpty() && completions.isEmpty()) {
      device.noFaults();
    }
  }

  /** Refuses a post that is to fail. */
  void checkPost(String call, boolean send, int queuePairNumber, int index, long id) {
    PostFault fault = postFault(send, queuePairNumber);
    if (fault != null) {
      throw new PostException(fault.errno(), call, fault.detail(), index, id);
    }
  }

  /** Finds out whether a request is to fail at its post, which counts as one. */
  @Nullable PostFault postFault(boolean send, int queuePairNumber) {
    InstalledFault<VerbsFault.FailPost> winner = null;
    for (InstalledFault<VerbsFault.FailPost> installed : posts) {
      VerbsFault.FailPost fault = installed.fault();
      boolean described = fault.send() == send && fault.target().includes(queuePairNumber, 0);
      if (described && installed.considers() && winner == null) {
        winner = installed;
      }
    }
    if (winner == null) {
      return null;
    }
    winner.hit();
    return new PostFault(winner.fault().errno(), words(winner.fault()));
  }

  /** Refuses to make an object that is not to be had. */
  void checkCreation(ResourceKind kind, String call) {
    InstalledFault<VerbsFault.FailCreation> winner = null;
    for (InstalledFault<VerbsFault.FailCreation> installed : creations) {
      if (installed.fault().kind() == kind && installed.considers() && winner == null) {
        winner = installed;
      }
    }
    if (winner != null) {
      winner.hit();
      throw new VerbsException(winner.fault().errno(), call, words(winner.fault()));
    }
  }

  private static String words(VerbsFault fault) {
    return "fault " + fault + " was injected";
  }

  /**
   * Gives a completion that has come to the fault that means it.
   *
   * @return whether one did; it is not to go into its queue then
   */
  boolean take(
      SimCompletionQueue queue,
      SimQueuePair queuePair,
      WorkCompletion completion,
      boolean send,
      boolean solicited,
      long freesUpTo) {
    CompletionFault<?> winner = null;
    for (CompletionFault<?> installed : completions) {
      boolean described = installed.target().includes(queuePair.number(), queue.number());
      if (described && installed.considers() && winner == null) {
        winner = installed;
      }
    }
    if (winner == null) {
      return false;
    }
    winner.hit();
    winner.take(
        new DivertedCompletion(queue, queuePair, completion.copy(), send, solicited, freesUpTo));
    return true;
  }

  /** Forgets completions of a queue pair that is destroyed or reset (rule CQ-PURGE). */
  void purge(SimCompletionQueue queue, SimQueuePair queuePair) {
    for (CompletionFault<?> installed : completions) {
      installed.purge(queue, queuePair);
    }
  }
}
