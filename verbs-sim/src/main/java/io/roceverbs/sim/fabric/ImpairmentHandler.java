package io.roceverbs.sim.fabric;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;

/**
 * Decides what the network does to each frame; the link carries it out. A frame to a group is left
 * alone here, since each of its copies has a fate of its own.
 */
final class ImpairmentHandler extends ChannelOutboundHandlerAdapter {
  private final ImpairmentTable impairments;

  ImpairmentHandler(ImpairmentTable impairments) {
    this.impairments = impairments;
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // it is the promise that the caller gave
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    Frame frame = (Frame) message;
    if (frame.group().isEmpty() && frame.refusal() == null) {
      impairments.decide(frame);
    }
    context.write(frame, promise);
  }
}
