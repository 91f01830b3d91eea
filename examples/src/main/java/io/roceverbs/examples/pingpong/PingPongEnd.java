package io.roceverbs.examples.pingpong;

import io.roceverbs.examples.ulp.Endpoint;
import io.roceverbs.examples.ulp.Transport;
import io.roceverbs.verbs.Device;
import io.roceverbs.verbs.Gid;
import io.roceverbs.verbs.MemoryRegion;
import io.roceverbs.verbs.QueuePair;
import io.roceverbs.verbs.SendRequest;
import io.roceverbs.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.util.Locale;

/**
 * One of the two ends. The client sends first; each then answers what it receives.
 *
 * <p>There is one send buffer, so the next message waits for two things: the peer's message, and
 * the completion of the own SEND, which may come later where an acknowledgement was lost.
 *
 * <p>Not thread-safe.
 */
public final class PingPongEnd implements Endpoint.Handler, AutoCloseable {
  private static final int SENDS = 1;

  /** One that is being looked at, one for the next message. */
  private static final int RECEIVES = 2;

  private static final long SEND_ID = 1;

  /** Who an end is. */
  public enum Role {
    /** Sends first. */
    CLIENT,
    /** Answers. */
    SERVER;

    Role peer() {
      return this == CLIENT ? SERVER : CLIENT;
    }
  }

  private final Role role;
  private final int iterations;
  private final int bytes;
  private final Endpoint endpoint;
  private final ByteBuffer message;
  private final MemoryRegion region;
  private final SendRequest send = new SendRequest();
  private int sent;
  private int acknowledged;
  private int received;
  private String failure = "";

  /**
   * Opens a device; the queue pair is then to be connected.
   *
   * @param device the device
   * @param transport the service
   * @param role which end it is
   * @param iterations messages in each direction
   * @param bytes length of each message, 1 or more
   */
  public PingPongEnd(Device device, Transport transport, Role role, int iterations, int bytes) {
    this.role = role;
    this.iterations = iterations;
    this.bytes = bytes;
    this.endpoint = new Endpoint(device, transport, SENDS, RECEIVES, bytes);
    this.message = ByteBuffer.allocate(bytes);
    this.region = endpoint.domain().registerMemory(message);
  }

  /** Says where datagrams go; the other services are connected instead. */
  public void peer(Gid gid, int number, int queueKey) {
    endpoint.peer(gid, number, queueKey);
  }

  /** Says where an extended connection, once made, sends to. */
  public void peer(PingPongEnd other) {
    endpoint.peer(other.endpoint);
  }

  /** Begins. The queue pair must be connected. */
  public void start() {
    endpoint.postReceives();
    sendNext();
  }

  /** Polls once. Returns whether anything came. */
  public boolean progress() {
    return endpoint.poll(this);
  }

  private void sendNext() {
    int turn = role == Role.CLIENT ? sent : sent + 1;
    if (failure.isEmpty() && sent < iterations && acknowledged == sent && received == turn) {
      Pattern.fill(message, sent, role);
      sent++;
      endpoint.post(send.reset(SEND_ID).send().segment(region, 0, bytes).signaled());
    }
  }

  @Override
  public void sent(WorkCompletion completion) {
    if (completion.isSuccess()) {
      acknowledged++;
      sendNext();
    } else {
      fail("SEND", sent, describe(completion));
    }
  }

  @Override
  public void received(WorkCompletion completion, ByteBuffer arrived) {
    String mismatch = Pattern.mismatch(arrived, bytes, received, role.peer());
    if (!mismatch.isEmpty()) {
      fail("message", received + 1, mismatch);
      return;
    }
    received++;
    endpoint.repost(completion.id());
    sendNext();
  }

  @Override
  public void receiveFailed(WorkCompletion completion) {
    fail("receive", received + 1, describe(completion));
  }

  private static String describe(WorkCompletion completion) {
    return String.format(
        Locale.ROOT,
        "%s(%d) %s: %s",
        completion.status(),
        completion.status().value(),
        completion.status().text(),
        completion.detail());
  }

  /** Keeps the first failure; the others follow from it. */
  private void fail(String what, int iteration, String reason) {
    if (failure.isEmpty()) {
      String name = role.name().toLowerCase(Locale.ROOT);
      failure = name + ": " + what + " of iteration " + iteration + ": " + reason;
    }
  }

  /** What went wrong first, in words; empty if nothing did. */
  public String failure() {
    return failure;
  }

  /** Whether all messages were received, and all own ones acknowledged. */
  public boolean isFinished() {
    return acknowledged == iterations && received == iterations;
  }

  /** How many messages were received and found right. */
  public int received() {
    return received;
  }

  /** The queue pair that receives: the same one, but for an extended connection. */
  public QueuePair receivingQueuePair() {
    return endpoint.receivingQueuePair();
  }

  /** The queue pair that sends. */
  public QueuePair queuePair() {
    return endpoint.queuePair();
  }

  @Override
  public void close() {
    region.close();
    endpoint.close();
  }
}
