package io.roceverbs.sim.fabric;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * Writes each frame into the capture when it leaves its node, as it is before the network touches
 * it; what the rules and chance will do to it is in a comment. So a frame is in the capture once,
 * and each copy that the network makes of it once more.
 *
 * <p>Whether a queue of the switch will mark it can't be told then: a frame that is marked there is
 * captured there again, as it goes on.
 */
final class CaptureHandler extends ChannelOutboundHandlerAdapter {
  private final FabricCore core;
  private final PcapngWriter capture;

  CaptureHandler(FabricCore core, PcapngWriter capture) {
    this.core = core;
    this.capture = capture;
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // it is the promise that the caller gave
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    Frame frame = (Frame) message;
    try {
      capture(frame);
    } catch (IOException e) {
      frame.release();
      throw failure(e);
    }
    context.write(frame, promise);
  }

  private static UncheckedIOException failure(IOException cause) {
    return new UncheckedIOException("the capture can't be written: " + cause.getMessage(), cause);
  }

  /** Writes a frame that has just been marked in the queue of the switch to a port. */
  void marked(Frame frame, Port receiver) {
    String comment =
        "frame " + frame.number() + " marked as congested in the queue to " + receiver.name();
    try {
      write(CapturePlace.SWITCH, frame, comment);
    } catch (IOException e) {
      throw failure(e);
    }
  }

  private void capture(Frame frame) throws IOException {
    DropReason refusal = frame.refusal();
    if (refusal != null) {
      write(frame, "dropped: " + refusal.text());
      return;
    }
    Fate fate = frame.fate();
    write(frame, fate.kind() == Fate.Kind.PASS ? null : fate.text());
    if (fate.kind() == Fate.Kind.DUPLICATE) {
      String comment = "duplicate of frame " + frame.number() + " by " + fate.cause();
      for (int i = 0; i < fate.copies(); i++) {
        write(frame, comment);
      }
    }
  }

  private void write(Frame frame, @Nullable String comment) throws IOException {
    write(CapturePlace.NODE, frame, comment);
  }

  private void write(CapturePlace place, Frame frame, @Nullable String comment) throws IOException {
    capture.write(place, core.nanoTime(), frame.buffer(), frame.start(), frame.length(), comment);
  }
}
