package io.roceverbs.sim;

import io.roceverbs.sim.fabric.PcapngWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where a fabric's capture goes.
 *
 * @param file a file to write, or null
 * @param stream a stream to write to, or null; without both there is no capture
 */
record CaptureTarget(@Nullable Path file, @Nullable OutputStream stream) {
  static final CaptureTarget NONE = new CaptureTarget(null, null);

  /** Begins the capture; null if there is none. */
  @Nullable PcapngWriter open() {
    try {
      if (file != null) {
        return PcapngWriter.open(file);
      }
      return stream == null ? null : new PcapngWriter(stream);
    } catch (IOException e) {
      String target = file == null ? "the given stream" : "file " + file;
      throw new IllegalArgumentException(
          "the capture can't be written to "
              + target
              + " ("
              + e
              + "); name a file in a directory that exists and may be written",
          e);
    }
  }
}
