package io.roceverbs.sim.fabric;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.roceverbs.sim.wire.PacketCodec;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The outermost handler of a port: it takes each frame off the pipeline, does to it what the
 * impairments decided, and lets it travel.
 */
final class LinkHandler extends ChannelDuplexHandler {
  private final FabricCore core;
  private final Port port;
  private final Link link;
  private final List<HeldFrame> held = new ArrayList<>();
  private final PacketCodec codec = new PacketCodec();
  private final @Nullable CaptureHandler capture;

  LinkHandler(FabricCore core, Port port, @Nullable CaptureHandler capture) {
    this.core = core;
    this.port = port;
    this.capture = capture;
    this.link = port.link();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    Frame frame = (Frame) message;
    port.statistics().received(frame.length());
    context.fireChannelRead(frame);
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    send((Frame) message);
    promise.trySuccess();
  }

  private void send(Frame frame) {
    long now = core.nanoTime();
    port.statistics().sent(frame.length());
    if (frame.group().isEmpty()) {
      note(frame, now);
    }
    long lastBitNanos = now + link.serialisationNanos(frame.length());
    link.uplinkFreeNanos(lastBitNanos);
    DropReason refusal = frame.refusal();
    if (refusal != null) {
      lose(frame, refusal);
    } else if (!frame.group().isEmpty()) {
      sendToGroup(frame, now, lastBitNanos + link.latencyNanos());
    } else {
      act(frame, lastBitNanos + link.latencyNanos());
    }
  }

  /** The switch sends a copy to each member, and each copy may meet a fault of its own. */
  private void sendToGroup(Frame frame, long now, long switchNanos) {
    List<Port> members = frame.group();
    try {
      for (int i = 0; i < members.size(); i++) {
        Frame copy = core.pool().acquireCopyFor(frame, members.get(i), core.nextFrameNumber());
        // The rules look at the fields of a packet, so the copy needs them before it arrives.
        codec.decode(copy.buffer(), copy.start(), copy.length(), copy.packet());
        DropReason refusal = copy.refusal();
        if (refusal == null) {
          core.impairments().decide(copy);
        }
        note(copy, now);
        if (refusal != null) {
          lose(copy, refusal);
        } else {
          act(copy, switchNanos);
        }
      }
    } finally {
      frame.release();
    }
  }

  /** A listener of the trace may throw: the frame is given back then, as it goes nowhere. */
  private void note(Frame frame, long now) {
    boolean noted = false;
    try {
      core.log().sent(now, frame);
      noted = true;
    } finally {
      if (!noted) {
        frame.release();
      }
    }
  }

  private void act(Frame frame, long switchNanos) {
    Fate fate = frame.fate();
    switch (fate.kind()) {
      case PASS -> pass(frame, switchNanos);
      case DROP -> lose(frame, fate.isByChance() ? DropReason.LOSS : DropReason.RULE);
      case DELAY -> {
        port.statistics().count(PortCounter.DELAYED);
        pass(frame, switchNanos + fate.delayNanos());
      }
      case BEHIND_NEXT -> {
        port.statistics().count(PortCounter.HELD);
        hold(frame, fate.afterPackets());
      }
      case DUPLICATE -> duplicate(frame, switchNanos);
      case CORRUPT -> {
        port.statistics().count(PortCounter.CORRUPTED);
        frame.flipTransportBit(fate.bit());
        pass(frame, switchNanos);
      }
      case MARK -> {
        port.statistics().count(PortCounter.MARKED_BY_RULE);
        frame.markCongestion();
        pass(frame, switchNanos);
      }
    }
  }

  private void duplicate(Frame frame, long switchNanos) {
    Fate fate = frame.fate();
    int copies = fate.copies();
    long delayNanos = fate.delayNanos();
    int afterPackets = fate.afterPackets();
    frame.retain();
    pass(frame, switchNanos);
    for (int i = 1; i <= copies; i++) {
      port.statistics().count(PortCounter.DUPLICATED);
      Frame copy = core.pool().acquireCopy(frame, core.nextFrameNumber());
      core.log().duplicated(core.nanoTime(), frame, copy);
      if (afterPackets > 0) {
        hold(copy, afterPackets);
      } else {
        travel(copy, switchNanos + i * delayNanos);
      }
    }
    frame.release();
  }

  /** Sends a frame on its way, and right behind it those that waited for it. */
  private void pass(Frame frame, long switchNanos) {
    travel(frame, switchNanos);
    if (!held.isEmpty()) {
      releaseBehind(frame.routedDestination(), switchNanos);
    }
  }

  private void releaseBehind(Port destination, long switchNanos) {
    int kept = 0;
    for (int i = 0; i < held.size(); i++) {
      HeldFrame waiting = held.get(i);
      if (waiting.isReleasedBy(destination)) {
        waiting.cancel();
        travel(waiting.frame(), switchNanos);
      } else {
        held.set(kept++, waiting);
      }
    }
    held.subList(kept, held.size()).clear();
  }

  private void hold(Frame frame, int packets) {
    HeldFrame waiting = new HeldFrame(this, frame, packets, core.nanoTime());
    held.add(waiting);
    core.timerChanged(waiting);
  }

  void heldTooLong(HeldFrame waiting, long nowNanos) {
    held.remove(waiting);
    travel(waiting.frame(), nowNanos + link.latencyNanos());
  }

  /** Lets a frame reach the switch at a time; with nothing to wait for there, straight the port. */
  private void travel(Frame frame, long switchNanos) {
    Link last = frame.routedDestination().link();
    if (last.isPaced()) {
      frame.isBeforeSwitch(true);
      core.schedule(switchNanos, frame);
    } else {
      core.schedule(switchNanos + last.latencyNanos(), frame);
    }
  }

  /** Takes a frame that has reached the switch into the queue for this port. */
  void leaveSwitch(Frame frame, long nowNanos) {
    boolean isCongested = link.isCongested(nowNanos);
    long lastBitNanos = link.enqueueToNode(frame.length(), nowNanos);
    if (lastBitNanos == EgressQueue.FULL) {
      lose(frame, DropReason.QUEUE_FULL);
    } else {
      if (isCongested && frame.isMarkable() && frame.markCongestion()) {
        noteMark(frame, nowNanos);
      }
      frame.isBeforeSwitch(false);
      core.schedule(lastBitNanos + link.latencyNanos(), frame);
    }
  }

  /** The frame goes no further if a listener or the capture throws, and is given back then. */
  private void noteMark(Frame frame, long nowNanos) {
    port.statistics().count(PortCounter.MARKED_IN_QUEUE);
    boolean noted = false;
    try {
      core.log().marked(nowNanos, frame, port);
      if (capture != null) {
        capture.marked(frame, port);
      }
      noted = true;
    } finally {
      if (!noted) {
        frame.release();
      }
    }
  }

  void lose(Frame frame, DropReason reason) {
    port.statistics().count(reason.counter());
    try {
      core.log().lost(core.nanoTime(), frame, reason);
    } finally {
      frame.release();
    }
  }

  /** Gives back the frames that still wait. */
  void close() {
    for (HeldFrame waiting : held) {
      waiting.cancel();
      waiting.frame().release();
    }
    held.clear();
  }
}
