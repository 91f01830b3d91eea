package io.roceverbs.sim.fault;

import io.roceverbs.verbs.Errno;

/**
 * A fault of the verbs interface as data: which calls or completions, and what is wrong with them.
 *
 * <p>The text forms:
 *
 * <pre>
 *   post-send:host#3=ENOMEM                  the third send request posted on the node is refused
 *   post-receive:host/qp0x000011#2+=EINVAL   all receives of one queue pair but the first are
 *   create:host/MemoryRegion#2=ENOMEM        the second region can't be had
 *   rewrite:host/cq2#3=status:RETRY_EXC_ERR  the third completion of one queue says something else
 *   invent:host/qp0x000011#1=id:77           behind the first completion comes one for nothing
 *   invent:host#1                            the first completion comes twice
 *   hold:host/cq1#2+                         all completions of one queue but the first wait
 * </pre>
 *
 * <p>What is counted are calls that would succeed, request by request for a chain. Several faults
 * are tried in the order in which they were injected and the first that hits decides; each of them
 * counts everything that it describes.
 */
public sealed interface VerbsFault {
  /**
   * The node on which it works.
   *
   * @return its name
   */
  String node();

  /**
   * Which of the calls or completions that it describes are meant.
   *
   * @return their numbers since it was injected
   */
  Occurrence occurrence();

  /**
   * Calls the method of {@code visitor} for this kind of fault.
   *
   * @param <R> what the visitor gives
   * @param visitor has a method for each kind
   * @return what that method gives
   */
  <R> R accept(Visitor<R> visitor);

  /**
   * Reads the text form.
   *
   * @param token what {@code toString()} gives
   * @return the fault
   * @throws IllegalArgumentException if the text is not one; it says which part, and what is legal
   */
  static VerbsFault parse(String token) {
    return new VerbsFaultParser(token).parse();
  }

  /**
   * A post is refused. The requests before it in the chain are posted.
   *
   * @param send whether to the send queue
   * @param target the node or one queue pair
   * @param occurrence which requests
   * @param errno with what
   */
  record FailPost(boolean send, FaultTarget target, Occurrence occurrence, Errno errno)
      implements VerbsFault {
    /**
     * Checks the target.
     *
     * @param send as the component
     * @param target as the component
     * @param occurrence as the component
     * @param errno as the component
     * @throws IllegalArgumentException if it is a completion queue, to which nobody posts
     */
    public FailPost {
      if (target.scope() == FaultTarget.Scope.COMPLETION_QUEUE) {
        throw new IllegalArgumentException(
            "nothing is posted to " + target + "; name a queue pair, as qp0x000011, or none");
      }
    }

    @Override
    public String node() {
      return target.node();
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.failPost(this);
    }

    @Override
    public String toString() {
      return (send ? "post-send:" : "post-receive:") + target + occurrence + "=" + errno;
    }
  }

  /**
   * An object can't be made. Nothing is changed.
   *
   * @param node the node
   * @param kind the kind of object
   * @param occurrence which creations
   * @param errno with what
   */
  record FailCreation(String node, ResourceKind kind, Occurrence occurrence, Errno errno)
      implements VerbsFault {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.failCreation(this);
    }

    @Override
    public String toString() {
      return "create:" + node + "/" + kind + occurrence + "=" + errno;
    }
  }

  /**
   * A completion says something else than what happened.
   *
   * @param target whose completions
   * @param occurrence which of them
   * @param change what it says, something at least
   */
  record RewriteCompletion(FaultTarget target, Occurrence occurrence, CompletionChange change)
      implements VerbsFault {
    /**
     * Checks the change.
     *
     * @param target as the component
     * @param occurrence as the component
     * @param change as the component
     * @throws IllegalArgumentException if nothing is different
     */
    public RewriteCompletion {
      if (change.equals(CompletionChange.NONE)) {
        throw new IllegalArgumentException("nothing is different about the completion");
      }
    }

    @Override
    public String node() {
      return target.node();
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.rewriteCompletion(this);
    }

    @Override
    public String toString() {
      return "rewrite:" + target + occurrence + "=" + change;
    }
  }

  /**
   * Behind a completion comes another, for which there was no request.
   *
   * @param target behind whose completions
   * @param occurrence behind which of them
   * @param change what is different between the two
   */
  record InventCompletion(FaultTarget target, Occurrence occurrence, CompletionChange change)
      implements VerbsFault {
    @Override
    public String node() {
      return target.node();
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.inventCompletion(this);
    }

    @Override
    public String toString() {
      String changes = change.toString();
      return "invent:" + target + occurrence + (changes.isEmpty() ? "" : "=" + changes);
    }
  }

  /**
   * Completions wait until {@link HeldCompletions#release} lets them go, so that the queues of a
   * program get them in any order between the queues. The order within the target stays.
   *
   * @param target whose completions
   * @param occurrence from which on; a range without an end, since none can overtake another
   */
  record HoldCompletions(FaultTarget target, Occurrence occurrence) implements VerbsFault {
    /**
     * Checks the range.
     *
     * @param target as the component
     * @param occurrence as the component
     * @throws IllegalArgumentException if it has an end
     */
    public HoldCompletions {
      if (occurrence.last() != Occurrence.UNLIMITED) {
        throw new IllegalArgumentException(
            "completions are held from one on, as #"
                + occurrence.first()
                + "+; those behind "
                + occurrence
                + " would overtake");
      }
    }

    @Override
    public String node() {
      return target.node();
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.holdCompletions(this);
    }

    @Override
    public String toString() {
      return "hold:" + target + occurrence;
    }
  }

  /**
   * One method for each kind of fault.
   *
   * @param <R> what the methods give
   */
  interface Visitor<R> {
    /**
     * A post is refused.
     *
     * @param fault the fault
     * @return as the visitor likes
     */
    R failPost(FailPost fault);

    /**
     * An object can't be made.
     *
     * @param fault the fault
     * @return as the visitor likes
     */
    R failCreation(FailCreation fault);

    /**
     * A completion says something else.
     *
     * @param fault the fault
     * @return as the visitor likes
     */
    R rewriteCompletion(RewriteCompletion fault);

    /**
     * A further completion comes.
     *
     * @param fault the fault
     * @return as the visitor likes
     */
    R inventCompletion(InventCompletion fault);

    /**
     * Completions wait.
     *
     * @param fault the fault
     * @return as the visitor likes
     */
    R holdCompletions(HoldCompletions fault);
  }
}
