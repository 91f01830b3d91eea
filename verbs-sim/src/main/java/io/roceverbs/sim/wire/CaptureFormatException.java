package io.roceverbs.sim.wire;

import java.io.IOException;

/** A file is not a capture, or not one that {@link CaptureReader} can read. */
public final class CaptureFormatException extends IOException {
  private static final long serialVersionUID = 1L;

  CaptureFormatException(String message) {
    super(message);
  }
}
