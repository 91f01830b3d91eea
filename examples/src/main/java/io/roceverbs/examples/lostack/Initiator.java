package io.roceverbs.examples.lostack;

import io.roceverbs.examples.ulp.Endpoint;
import io.roceverbs.verbs.Device;
import io.roceverbs.verbs.MemoryRegion;
import io.roceverbs.verbs.QueuePair;
import io.roceverbs.verbs.SendRequest;
import io.roceverbs.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Sends one command and hears of its end: what both initiators have in common. How the data is
 * gathered, and when the command is over, is left to the two.
 *
 * <p>Not thread-safe.
 */
public abstract class Initiator implements Endpoint.Handler, AutoCloseable {
  /** Bytes of data behind the command: one page. */
  public static final int DATA_BYTES = 4096;

  /** Receives posted; the reply takes one, the others wait. */
  public static final int RECEIVES = 4;

  static final int TAG = 1;
  static final long REGISTER_ID = 1;
  static final long SEND_ID = 2;

  private static final int SENDS = 4;
  private static final byte NEXT_USER = (byte) 0xEE;

  private final Endpoint endpoint;
  private final Consumer<String> notes;
  private final ByteBuffer data = ByteBuffer.allocate(DATA_BYTES);
  private final ByteBuffer header = ByteBuffer.allocate(Command.BYTES);
  private final MemoryRegion headerRegion;
  private int checksum;
  private @Nullable WorkCompletion sendCompletion;
  private boolean isReplied;
  private boolean isDone;
  private boolean wasDoneBeforeSend;
  private int flushedReceives;

  /**
   * Opens a device; the queue pair is then to be connected.
   *
   * @param device the device
   * @param notes hears what the initiator does, step by step
   */
  Initiator(Device device, Consumer<String> notes) {
    this.endpoint = new Endpoint(device, SENDS, RECEIVES, Reply.BYTES);
    this.notes = notes;
    this.headerRegion = endpoint.domain().registerMemory(header);
  }

  /** Sends the command. The queue pair must be connected. */
  public final void submit() {
    endpoint.postReceives();
    for (int i = 0; i < DATA_BYTES; i++) {
      data.put(i, (byte) (i * 31 + (i >> 8)));
    }
    checksum = checksum(data);
    postCommand();
  }

  /** Polls once. Returns whether anything came. */
  public final boolean progress() {
    return endpoint.poll(this);
  }

  /** Posts the SEND of header and data, with {@link #SEND_ID} and signaled. */
  abstract void postCommand();

  /** The SEND was acknowledged. */
  abstract void onSendSuccess();

  /** The right reply has come. */
  abstract void onReply(WorkCompletion completion);

  @Override
  public final void sent(WorkCompletion completion) {
    if (completion.id() == SEND_ID) {
      sendCompletion = completion.copy();
    }
    if (!completion.isSuccess()) {
      note(
          "wr "
              + completion.id()
              + " failed"
              + (isDone ? ", of a command that was called done: the connection is lost" : ""));
    } else if (completion.id() == SEND_ID) {
      onSendSuccess();
    }
  }

  @Override
  public final void received(WorkCompletion completion, ByteBuffer message) {
    Reply reply = Reply.readFrom(message);
    if (reply.tag() != TAG || reply.checksum() != checksum || isReplied) {
      note("protocol error: unexpected " + reply);
      return;
    }
    isReplied = true;
    onReply(completion);
  }

  @Override
  public final void receiveFailed(WorkCompletion completion) {
    flushedReceives++;
  }

  /** Tells the caller that its command is over, who takes the memory back and uses it again. */
  final void complete(String reason) {
    isDone = true;
    wasDoneBeforeSend = sendCompletion == null;
    note("command " + TAG + " done: " + reason);
    for (int i = 0; i < DATA_BYTES; i++) {
      data.put(i, NEXT_USER);
    }
  }

  final void note(String text) {
    notes.accept(text);
  }

  final Endpoint endpoint() {
    return endpoint;
  }

  final ByteBuffer data() {
    return data;
  }

  /** Begins the SEND of a command: the header is its first segment, the data is still to come. */
  final SendRequest beginSend(SendRequest send, Command command) {
    command.writeTo(header);
    return send.reset(SEND_ID).send().segment(headerRegion, 0, Command.BYTES).signaled();
  }

  static int checksum(ByteBuffer bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.duplicate().rewind());
    return (int) crc.getValue();
  }

  /** The queue pair, to be connected. */
  public final QueuePair queuePair() {
    return endpoint.queuePair();
  }

  /** How the SEND of the command ended, or null if it has not. */
  public final @Nullable WorkCompletion sendCompletion() {
    return sendCompletion;
  }

  /** Whether the caller was told that its command is over. */
  public final boolean isDone() {
    return isDone;
  }

  /** Whether it was told so while the adapter still owned the memory. */
  public final boolean wasDoneBeforeSend() {
    return wasDoneBeforeSend;
  }

  /** How many receives were flushed. */
  public final int flushedReceives() {
    return flushedReceives;
  }

  @Override
  public void close() {
    headerRegion.close();
    endpoint.close();
  }
}
