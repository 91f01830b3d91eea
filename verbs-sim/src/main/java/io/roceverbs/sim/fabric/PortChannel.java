package io.roceverbs.sim.fabric;

import io.netty.channel.AbstractChannel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelMetadata;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.DefaultChannelConfig;
import io.netty.channel.EventLoop;
import io.netty.channel.IoEventLoop;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * The channel of a port: a pipeline whose outermost handler is the wire. So nothing is ever written
 * to or read from the channel itself.
 */
final class PortChannel extends AbstractChannel {
  private static final ChannelMetadata METADATA = new ChannelMetadata(false);

  private final ChannelConfig config = new DefaultChannelConfig(this);
  private final SocketAddress address;
  private boolean isOpen = true;

  @SuppressWarnings("NullAway") // a channel without a parent has null for it
  PortChannel(PortChannelId id) {
    super(null, id);
    this.address = new PortAddress(id.node());
  }

  @Override
  public ChannelConfig config() {
    return config;
  }

  @Override
  public ChannelMetadata metadata() {
    return METADATA;
  }

  @Override
  public boolean isOpen() {
    return isOpen;
  }

  @Override
  public boolean isActive() {
    return isOpen && isRegistered();
  }

  @Override
  protected boolean isCompatible(EventLoop loop) {
    return loop instanceof IoEventLoop events
        && (events.isIoType(NoIoHandler.class) || events.isIoType(EventIoHandler.class));
  }

  @Override
  protected SocketAddress localAddress0() {
    return address;
  }

  @Override
  protected @Nullable SocketAddress remoteAddress0() {
    return null;
  }

  @Override
  protected void doBind(SocketAddress localAddress) {
    throw new UnsupportedOperationException("a port is bound by adding its node to the fabric");
  }

  @Override
  protected void doDisconnect() {
    doClose();
  }

  @Override
  protected void doClose() {
    isOpen = false;
  }

  @Override
  protected void doBeginRead() {
    // Frames arrive as events of the fabric, whether somebody reads or not.
  }

  @Override
  protected void doWrite(ChannelOutboundBuffer in) {
    throw new UnsupportedOperationException("the link handler takes every frame");
  }

  @Override
  protected AbstractUnsafe newUnsafe() {
    return new PortUnsafe();
  }

  private final class PortUnsafe extends AbstractUnsafe {
    @Override
    public void connect(SocketAddress remote, SocketAddress local, ChannelPromise promise) {
      promise.setFailure(
          new UnsupportedOperationException("a port is connected to the switch from the start"));
    }
  }
}
