package io.roceverbs.sim.device;

import io.roceverbs.sim.trace.TraceEvent;
import io.roceverbs.sim.trace.TracePoint;
import io.roceverbs.verbs.ReceiveRequest;
import io.roceverbs.verbs.SendRequest;

/** What the trace hears of posts. */
final class PostNotes {
  private PostNotes() {}

  static void send(SimDevice device, long nowNanos, int queuePairNumber, SendRequest request) {
    device.trace().mix(nowNanos, TracePoint.POST_SEND, queuePairNumber, request.id());
    if (device.trace().isRecording()) {
      record(device, nowNanos, queuePairNumber, true, request.id(), RequestText.of(request));
    }
  }

  /**
   * Notes a receive.
   *
   * @param queuePairNumber that of the queue pair, or 0 for a shared queue
   */
  static void receive(
      SimDevice device, long nowNanos, int queuePairNumber, ReceiveRequest request) {
    device.trace().mix(nowNanos, TracePoint.POST_RECEIVE, queuePairNumber, request.id());
    if (device.trace().isRecording()) {
      record(device, nowNanos, queuePairNumber, false, request.id(), RequestText.of(request));
    }
  }

  private static void record(
      SimDevice device, long nowNanos, int queuePairNumber, boolean send, long id, String summary) {
    device
        .trace()
        .record(new TraceEvent.Posted(nowNanos, device.name(), queuePairNumber, send, id, summary));
  }
}
