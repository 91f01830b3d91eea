package io.roceverbs.sim.fabric;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.roceverbs.sim.device.PortClient;
import io.roceverbs.sim.wire.NetworkHeaders;

/**
 * The innermost handler of a port: it fetches packets from the device and hands it those that
 * arrive.
 */
final class DeviceHandler extends ChannelInboundHandlerAdapter {
  /** A locally administered MAC address whose last 32 bits are those of the IP address. */
  private static final long MAC_PREFIX = 0x0200_0000_0000L;

  private static final long MAC_FROM_ADDRESS_MASK = 0xFFFF_FFFFL;

  private final FabricCore core;
  private final Port port;

  DeviceHandler(FabricCore core, Port port) {
    this.core = core;
    this.port = port;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    Frame frame = (Frame) message;
    long now = core.nanoTime();
    try {
      core.log().delivered(now, frame, port);
      port.client().handlePacket(now, frame.packet());
    } finally {
      frame.release();
    }
  }

  /**
   * Fetches one packet from the device and sends it into the pipeline.
   *
   * @return whether there was one
   */
  @SuppressWarnings("FutureReturnValueIgnored") // a void promise: failures go to exceptionCaught
  boolean transmit(ChannelHandlerContext context, long nowNanos) {
    PortClient client = port.client();
    if (!client.mayTransmit()) {
      return false;
    }
    Frame frame = core.pool().acquire();
    boolean isSent = false;
    try {
      isSent = client.pollTransmit(nowNanos, frame.packet());
    } finally {
      if (!isSent) {
        frame.release();
      }
    }
    if (isSent) {
      address(frame, client.lastWasRetransmission());
      context.write(frame, context.voidPromise());
    }
    return isSent;
  }

  private void address(Frame frame, boolean retransmission) {
    NetworkHeaders headers = frame.packet().network();
    long high = headers.destinationHigh();
    long low = headers.destinationLow();
    headers.sourceMac(macOf(headers.sourceLow())).destinationMac(MulticastTable.macOf(high, low));
    frame.sent(port, core.route(high, low), core.nextFrameNumber(), retransmission);
    if (frame.destination() == null) {
      frame.toGroup(core.groups().of(high, low));
    } else {
      headers.destinationMac(macOf(low));
    }
  }

  private static long macOf(long addressLow) {
    return MAC_PREFIX | (addressLow & MAC_FROM_ADDRESS_MASK);
  }

  /** The end of the line for whatever goes wrong in any handler. */
  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    core.failed(cause);
  }
}
