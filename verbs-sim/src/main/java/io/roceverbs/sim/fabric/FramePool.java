package io.roceverbs.sim.fabric;

import java.util.ArrayList;
import java.util.List;

/** All frames of a fabric, those in use and those waiting to be used again. */
final class FramePool {
  /** More frames than this in use at a time mean that somebody sends without end. */
  static final int FRAMES_MAX = 1 << 18;

  private final List<Frame> idle = new ArrayList<>();
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
    return idle.isEmpty() ? new Frame(this) : idle.remove(idle.size() - 1);
  }

  void takeBack(Frame frame) {
    inUse--;
    idle.add(frame);
  }

  /** How many frames are outside: acquired and not released. */
  int inUse() {
    return inUse;
  }
}
