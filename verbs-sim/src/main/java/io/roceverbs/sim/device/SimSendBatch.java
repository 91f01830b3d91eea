package io.roceverbs.sim.device;

import io.roceverbs.verbs.QueuePair;
import io.roceverbs.verbs.SendBatch;
import io.roceverbs.verbs.SendRequest;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Requests that wait for the complete that posts them; the objects are used again and again. */
final class SimSendBatch implements SendBatch {
  private static final int INITIAL_CAPACITY = 4;

  private final SimQueuePair queuePair;
  private final SendPosts posts;
  private final int capacity;
  private @Nullable SendRequest[] requests = new @Nullable SendRequest[INITIAL_CAPACITY];
  private int size;

  SimSendBatch(SimQueuePair queuePair, SendPosts posts, int capacity) {
    this.queuePair = queuePair;
    this.posts = posts;
    this.capacity = capacity;
  }

  @Override
  public QueuePair queuePair() {
    return queuePair;
  }

  @Override
  public SendRequest begin(long id) {
    if (size == capacity) {
      throw new IllegalStateException(
          "the batch holds "
              + size
              + " requests, as many as the send queue has slots; complete or abort it first");
    }
    if (size == requests.length) {
      requests = Arrays.copyOf(requests, 2 * size);
    }
    SendRequest request = requests[size];
    if (request == null) {
      request = new SendRequest();
      requests[size] = request;
    }
    size++;
    return request.reset(id);
  }

  @Override
  public int size() {
    return size;
  }

  SendRequest request(int index) {
    SendRequest request = requests[index];
    if (index >= size || request == null) {
      throw new IndexOutOfBoundsException("request " + index + " of " + size);
    }
    return request;
  }

  @Override
  public void complete() {
    try {
      posts.post(this);
    } finally {
      abort();
    }
  }

  @Override
  public void abort() {
    // What a request names is let go of here, not when it is used again.
    for (int i = 0; i < size; i++) {
      request(i).reset(0);
    }
    size = 0;
  }
}
