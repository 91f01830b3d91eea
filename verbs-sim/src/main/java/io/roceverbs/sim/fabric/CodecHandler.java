package io.roceverbs.sim.fabric;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.roceverbs.sim.wire.DecodeStatus;
import io.roceverbs.sim.wire.PacketCodec;

/** Turns the packet of a frame into bytes on the way out, and the bytes into a packet inward. */
final class CodecHandler extends ChannelDuplexHandler {
  private final FabricCore core;
  private final Port port;
  private final PacketCodec codec;

  CodecHandler(FabricCore core, Port port, PacketCodec codec) {
    this.core = core;
    this.port = port;
    this.codec = codec;
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // it is the promise that the caller gave
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    Frame frame = (Frame) message;
    try {
      int start = codec.encode(frame.packet(), frame.buffer(), Frame.PAYLOAD_OFFSET);
      frame.bounds(start, PacketCodec.frameLength(frame.packet()));
    } catch (RuntimeException e) {
      frame.release();
      throw e;
    }
    context.write(frame, promise);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    Frame frame = (Frame) message;
    DecodeStatus status =
        codec.decode(frame.buffer(), frame.start(), frame.length(), frame.packet());
    if (status == DecodeStatus.OK) {
      context.fireChannelRead(frame);
    } else {
      refuse(frame, status);
    }
  }

  private void refuse(Frame frame, DecodeStatus status) {
    port.statistics().countUndecodable(status);
    try {
      core.log().undecodable(core.nanoTime(), frame, port, status);
    } finally {
      frame.release();
    }
  }
}
