package io.roceverbs.examples.lostack;

import io.roceverbs.examples.ulp.Endpoint;
import io.roceverbs.verbs.Device;
import io.roceverbs.verbs.MemoryRegion;
import io.roceverbs.verbs.QueuePair;
import io.roceverbs.verbs.SendRequest;
import io.roceverbs.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Stores the data of a command and replies. If the command offers a key, the reply takes it out of
 * use, whether the key was needed or not: that is the habit of real targets.
 *
 * <p>It serves one command at a time, since it has one reply buffer, which is the adapter's until
 * the reply's SEND has completed. Not thread-safe.
 */
public final class Target implements Endpoint.Handler, AutoCloseable {
  private static final int SENDS = 1;
  private static final int RECEIVES = 2;
  private static final long REPLY_ID = 1;

  private final Endpoint endpoint;
  private final Consumer<String> notes;
  private final ByteBuffer replyMessage = ByteBuffer.allocate(Reply.BYTES);
  private final MemoryRegion replyRegion;
  private final SendRequest send = new SendRequest();
  private @Nullable WorkCompletion failedReply;
  private boolean isReplying;
  private int executions;

  /**
   * Opens a device; the queue pair is then to be connected.
   *
   * @param device the device
   * @param notes hears what the target does, step by step
   */
  public Target(Device device, Consumer<String> notes) {
    this.endpoint = new Endpoint(device, SENDS, RECEIVES, Command.BYTES + Initiator.DATA_BYTES);
    this.notes = notes;
    this.replyRegion = endpoint.domain().registerMemory(replyMessage);
  }

  /** Becomes ready for commands. The queue pair must be connected. */
  public void serve() {
    endpoint.postReceives();
  }

  /** Polls once. Returns whether anything came. */
  public boolean progress() {
    return endpoint.poll(this);
  }

  @Override
  public void received(WorkCompletion completion, ByteBuffer message) {
    if (message.limit() < Command.BYTES) {
      notes.accept("protocol error: a message of " + message.limit() + " bytes is no command");
      return;
    }
    Command command = Command.readFrom(message);
    ByteBuffer data = message.slice(Command.BYTES, message.limit() - Command.BYTES);
    if (data.limit() != command.dataLength() || isReplying) {
      notes.accept("protocol error: unexpected " + command);
      return;
    }
    executions++;
    notes.accept("command " + command.tag() + " executed, " + data.limit() + " bytes stored");
    new Reply(command.tag(), Initiator.checksum(data)).writeTo(replyMessage);
    // The buffer was used up by the checksum. The receive is posted before the reply, so that the
    // initiator may send the next command as soon as it has it.
    endpoint.repost(completion.id());
    reply(command);
  }

  private void reply(Command command) {
    send.reset(REPLY_ID);
    if (command.offersKey()) {
      send.sendWithInvalidate(command.rkey());
    } else {
      send.send();
    }
    isReplying = true;
    endpoint.post(send.segment(replyRegion, 0, Reply.BYTES).signaled());
  }

  @Override
  public void sent(WorkCompletion completion) {
    isReplying = false;
    if (!completion.isSuccess()) {
      failedReply = completion.copy();
      notes.accept("the reply failed");
    }
  }

  @Override
  public void receiveFailed(WorkCompletion completion) {
    // The connection is down; there is nothing to do for a target without commands.
  }

  /** The queue pair, to be connected. */
  public QueuePair queuePair() {
    return endpoint.queuePair();
  }

  /** How many commands were executed. */
  public int executions() {
    return executions;
  }

  /** How the reply failed, or null if it did not. */
  public @Nullable WorkCompletion failedReply() {
    return failedReply;
  }

  @Override
  public void close() {
    replyRegion.close();
    endpoint.close();
  }
}
