package io.roceverbs.sim.fabric;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * Writes each frame into the capture when it leaves its node, as it is before the network touches
 * it; what the network will do to it is in a comment. So a frame is in the capture once, and each
 * copy that the network makes of it once more.
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
      throw new UncheckedIOException("the capture can't be written: " + e.getMessage(), e);
    }
    context.write(frame, promise);
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
    capture.write(core.nanoTime(), frame.buffer(), frame.start(), frame.length(), comment);
  }
}
