package io.roceverbs.sim.fabric;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoop;
import io.roceverbs.sim.device.DeviceHost;
import io.roceverbs.sim.device.DeviceTimer;
import io.roceverbs.sim.device.Doorbell;
import io.roceverbs.sim.device.PolledPlace;
import io.roceverbs.sim.device.PortClient;
import io.roceverbs.sim.device.UlpActivity;
import io.roceverbs.sim.device.UlpWait;
import io.roceverbs.sim.wire.PacketCodec;
import io.roceverbs.verbs.Gid;
import java.util.ArrayDeque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A node's end of the network: its link, its channel, and the device behind it, for which it is the
 * {@link DeviceHost}.
 */
public final class Port implements DeviceHost {
  /** What a device that stands still finds at most when it goes on; the rest is lost. */
  private static final int WAITING_FRAMES_MAX = 65_536;

  private final FabricCore core;
  private final String name;
  private final int index;
  private final Link link;
  private final PortStatistics statistics = new PortStatistics();
  private final ArrayDeque<Frame> waiting = new ArrayDeque<>();
  private final UplinkTimer uplinkTimer = new UplinkTimer();
  private final PortChannel channel;
  private final ChannelFuture registration;
  private final LinkHandler linkHandler;
  private final DeviceHandler deviceHandler;
  private final ChannelHandlerContext deviceContext;
  private @Nullable PortClient client;
  private @Nullable Port nextReady;
  private boolean isReady;
  private boolean isPaused;

  Port(FabricCore core, String name, int index, Link link, EventLoop loop) {
    this.core = core;
    this.name = name;
    this.index = index;
    this.link = link;
    this.channel = new PortChannel(new PortChannelId(name, index));
    PcapngWriter writer = core.capture();
    CaptureHandler capture = writer == null ? null : new CaptureHandler(core, writer);
    this.linkHandler = new LinkHandler(core, this, capture);
    this.deviceHandler = new DeviceHandler(core, this);
    buildPipeline(channel.pipeline(), capture);
    this.registration = loop.register(channel);
    this.deviceContext = Objects.requireNonNull(channel.pipeline().context(deviceHandler));
  }

  private void buildPipeline(ChannelPipeline pipeline, @Nullable CaptureHandler capture) {
    pipeline.addLast("link", linkHandler);
    if (capture != null) {
      pipeline.addLast("capture", capture);
    }
    pipeline.addLast("impairment", new ImpairmentHandler(core.impairments()));
    pipeline.addLast("codec", new CodecHandler(core, this, new PacketCodec()));
    pipeline.addLast("device", deviceHandler);
  }

  /**
   * Plugs the device in.
   *
   * @param portClient the device
   */
  public void attach(PortClient portClient) {
    client = portClient;
  }

  /**
   * Waits until the event loop has taken the port; what comes earlier is lost. The caller does not
   * hold the lock, unless it is the loop itself, which has nothing to wait for.
   */
  public void awaitRegistration() {
    registration.syncUninterruptibly();
  }

  /**
   * What the port counted so far.
   *
   * @return the live counters
   */
  public PortStatistics statistics() {
    return statistics;
  }

  String name() {
    return name;
  }

  int index() {
    return index;
  }

  Link link() {
    return link;
  }

  PortClient client() {
    PortClient attached = client;
    if (attached == null) {
      throw new IllegalStateException("no device is plugged into the port of node " + name);
    }
    return attached;
  }

  @Override
  public void enter() {
    core.enter();
  }

  @Override
  public boolean tryEnter() {
    return core.tryEnter();
  }

  @Override
  public void exit() {
    core.exit();
  }

  @Override
  public long nanoTime() {
    return core.nanoTime();
  }

  @Override
  public boolean mayStayOutside() {
    return core.mayStayOutside();
  }

  @Override
  public boolean isRealTime() {
    return core.isRealTime();
  }

  @Override
  public void ring(Doorbell doorbell) {
    core.ring(doorbell);
  }

  @Override
  public void polledInVain(PolledPlace place) {
    core.ulps().polledInVain(place);
  }

  @Override
  public void readyToPoll(PolledPlace place) {
    core.ulps().readyToPoll(place);
  }

  @Override
  public boolean await(UlpWait wait, long untilNanos) {
    return core.ulps().await(wait, untilNanos);
  }

  @Override
  public boolean awaitOthers(UlpWait wait) {
    return core.ulps().awaitOthers(wait);
  }

  @Override
  public void signalChange() {
    core.ulps().signalChange();
  }

  @Override
  public boolean isLinkUp() {
    return link.isUp();
  }

  /**
   * Takes the link down, or up again. What has left already still arrives at the other end.
   *
   * @param isUp which of the two
   */
  public void linkUp(boolean isUp) {
    if (link.isUp() && !isUp) {
      statistics.countLinkDown();
    }
    link.isUp(isUp);
  }

  @Override
  public boolean isPaused() {
    return isPaused;
  }

  /** Lets the device stand still: frames that arrive wait for it. */
  public void pause() {
    isPaused = true;
  }

  /** Lets the device go on, first with the frames that wait. */
  public void resume() {
    isPaused = false;
    while (!waiting.isEmpty()) {
      core.schedule(core.nanoTime(), waiting.remove());
    }
    core.ready(this);
  }

  @Override
  public UlpActivity activity() {
    return core.activity();
  }

  @Override
  public void joinGroup(Gid group) {
    core.groups().join(group, this);
  }

  @Override
  public void leaveGroup(Gid group) {
    core.groups().leave(group, this);
  }

  @Override
  public void timerChanged(DeviceTimer timer) {
    core.timerChanged(timer);
  }

  @Override
  public void transmitReady(PortClient readyClient) {
    assert readyClient == client : "a device is ready that is not plugged into " + name;
    core.ready(this);
  }

  boolean isReady() {
    return isReady;
  }

  void isReady(boolean value) {
    isReady = value;
  }

  @Nullable Port nextReady() {
    return nextReady;
  }

  void nextReady(@Nullable Port next) {
    nextReady = next;
  }

  /** Sends all that the device has, as far as the link is free. */
  void transmit(long nowNanos) {
    if (isPaused) {
      return;
    }
    while (link.uplinkFreeNanos() <= nowNanos) {
      if (!deviceHandler.transmit(deviceContext, nowNanos)) {
        return;
      }
    }
    uplinkTimer.start(link.uplinkFreeNanos());
    core.timerChanged(uplinkTimer);
  }

  /** Lets a frame whose time has come into the switch's queue for this port, or into the port. */
  void arrive(Frame frame, long nowNanos) {
    if (!link.isUp() || !channel.isRegistered()) {
      linkHandler.lose(frame, DropReason.LINK_DOWN);
    } else if (frame.isBeforeSwitch()) {
      linkHandler.leaveSwitch(frame, nowNanos);
    } else if (!isPaused) {
      channel.pipeline().fireChannelRead(frame);
    } else if (waiting.size() == WAITING_FRAMES_MAX) {
      linkHandler.lose(frame, DropReason.QUEUE_FULL);
    } else {
      waiting.add(frame);
    }
  }

  @SuppressWarnings("FutureReturnValueIgnored") // closing is done when the event loop terminates
  void close() {
    waiting.forEach(Frame::release);
    waiting.clear();
    linkHandler.close();
    channel.close();
  }

  /** Asks the device again once the link is free. */
  private final class UplinkTimer extends DeviceTimer {
    void start(long freeNanos) {
      deadlineNanos(freeNanos);
    }

    @Override
    public void expire(long nowNanos) {
      deadlineNanos(NEVER);
      core.ready(Port.this);
    }
  }
}
