package io.roceverbs.sim;

import io.roceverbs.sim.device.Inventions;
import io.roceverbs.sim.fabric.FabricCore;
import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.CompletionQueue;
import io.roceverbs.verbs.QueuePair;
import io.roceverbs.verbs.SharedReceiveQueue;
import io.roceverbs.verbs.WorkCompletion;

/**
 * What can be made to go wrong at the device of one node, at this moment. Faults that wait for
 * their moment are given to {@link Fabric#inject}.
 *
 * <p>Any thread may call any method. Each throws {@link IllegalStateException} once the fabric is
 * closed.
 */
public final class NodeFaults {
  private final FabricCore core;
  private final Node node;

  NodeFaults(FabricCore core, Node node) {
    this.core = core;
    this.node = node;
  }

  /**
   * Lets the device fail, for good. DEVICE_FATAL tells the programs. All its queue pairs fall
   * silent; what waits to be polled can still be polled; every verb that needs the device is
   * refused with EIO; its objects can be closed, as the kernel lets go of those of a device that
   * was taken away.
   */
  public void failDevice() {
    core.enter();
    try {
      if (!node.simulated().isFailed()) {
        node.simulated().fail();
        node.simulated().raise(AsyncEventType.DEVICE_FATAL);
      }
    } finally {
      core.exit();
    }
  }

  /**
   * Lets the device stand still: it sends nothing, frames that arrive wait, and timers that run out
   * wait too, until {@link #resume()}. Verbs work as ever, and posts wait with the rest. No effect
   * if it stands still.
   */
  public void pause() {
    core.enter();
    try {
      node.ports().forEach(port -> port.port().pause());
    } finally {
      core.exit();
    }
  }

  /**
   * Lets the device go on: with the frames that wait, in their order, then with the timers that ran
   * out, then with what is to be sent. No effect if it does not stand still.
   */
  public void resume() {
    core.enter();
    try {
      if (node.port(1).port().isPaused()) {
        node.ports().forEach(port -> port.port().resume());
        node.simulated().resumed();
      }
    } finally {
      core.exit();
    }
  }

  /**
   * Switches the node off, for good: it sends and takes no frame any more, and every verb on its
   * device is refused with EIO. No event tells anybody, since nobody is left there.
   */
  public void powerOff() {
    core.enter();
    try {
      node.ports().forEach(port -> port.port().linkUp(false));
      node.simulated().fail();
    } finally {
      core.exit();
    }
  }

  /**
   * Puts a completion into the completion queue of one side of a queue pair, for which there was no
   * request. It frees no slot of the queue pair when it is polled.
   *
   * @param queuePair one of the node that is open
   * @param send whether of the send queue
   * @param completion filled by one of its set methods; copied
   * @throws IllegalArgumentException if the queue pair is closed or of another node
   */
  public void injectCompletion(QueuePair queuePair, boolean send, WorkCompletion completion) {
    core.enter();
    try {
      Inventions.complete(node.simulated(), queuePair, send, completion);
    } finally {
      core.exit();
    }
  }

  /**
   * Raises an event of port 1 or of the whole device without its cause, such as SM_CHANGE. Every
   * open context of the device gets it; nothing else happens.
   *
   * @param type an event of a port, of the device, or of a work queue, of which there are none
   * @throws IllegalArgumentException if it is an event of another object
   */
  public void injectEvent(AsyncEventType type) {
    core.enter();
    try {
      Inventions.raise(node.simulated(), type);
    } finally {
      core.exit();
    }
  }

  /**
   * Raises an event of a queue pair without its cause, such as PATH_MIG. Nothing else happens.
   *
   * @param type an event of a queue pair
   * @param queuePair one of the node that is open
   * @throws IllegalArgumentException if it is an event of something else, or the queue pair is
   *     closed or of another node
   */
  public void injectEvent(AsyncEventType type, QueuePair queuePair) {
    core.enter();
    try {
      Inventions.raise(node.simulated(), type, queuePair);
    } finally {
      core.exit();
    }
  }

  /**
   * Raises an event of a shared receive queue without its cause, such as SRQ_ERR. Nothing else
   * happens.
   *
   * @param type an event of a shared receive queue
   * @param queue one of the node that is open
   * @throws IllegalArgumentException if it is an event of something else, or the queue is closed or
   *     of another node
   */
  public void injectEvent(AsyncEventType type, SharedReceiveQueue queue) {
    core.enter();
    try {
      Inventions.raise(node.simulated(), type, queue);
    } finally {
      core.exit();
    }
  }

  /**
   * Raises an event of a completion queue without its cause. Nothing else happens.
   *
   * @param type an event of a completion queue
   * @param queue one of the node that is open
   * @throws IllegalArgumentException if it is an event of something else, or the queue is closed or
   *     of another node
   */
  public void injectEvent(AsyncEventType type, CompletionQueue queue) {
    core.enter();
    try {
      Inventions.raise(node.simulated(), type, queue);
    } finally {
      core.exit();
    }
  }
}
