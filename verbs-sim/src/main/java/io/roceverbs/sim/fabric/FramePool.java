package io.roceverbs.sim.fabric;

import java.util.ArrayDeque;

/** All frames of a fabric, those in use and those waiting to be used again. */
final class FramePool {
  /** More frames than this in use at a time mean that somebody sends without end. */
  static final int FRAMES_MAX = 1 << 18;

  private final ArrayDeque<Frame> idle = new ArrayDeque<>();
  private int inUse;

  /** Gives a frame with one reference, ready for a packet. */
  Frame acquire() {
    Frame frame = take();
    frame.prepare();
    return frame;
  }

  /** Gives a frame with one reference and the bytes of another. */
  Frame acquireCopy(Frame original, long copyNumber) {
    Frame frame = take();
    frame.copyOf(original, copyNumber);
    return frame;
  }

  /** Gives a frame with one reference and the bytes of a multicast frame, for one member. */
  Frame acquireCopyFor(Frame original, Port member, long copyNumber) {
    Frame frame = take();
    frame.copyFor(original, member, copyNumber);
    return frame;
  }

  private Frame take() {
    if (inUse >= FRAMES_MAX) {
      throw new IllegalStateException(
          "more than "
              + FRAMES_MAX
              + " frames are in flight; a device sends without end, or frames"
              + " are kept and never released");
    }
    inUse++;
    Frame warm = idle.pollLast();
    return warm == null ? new Frame(this) : warm;
  }

  void takeBack(Frame frame) {
    inUse--;
    idle.addLast(frame);
  }

  /** How many frames are outside: acquired and not released. */
  int inUse() {
    return inUse;
  }
}
