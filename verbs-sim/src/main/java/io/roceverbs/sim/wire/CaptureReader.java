package io.roceverbs.sim.wire;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Reads the frames of a capture file, one after the other.
 *
 * <p>Two formats are known: pcap, with timestamps in microseconds or nanoseconds, and pcapng; each
 * in either byte order. The link type must be Ethernet. Sources: the Internet drafts
 * draft-ietf-opsawg-pcap and draft-ietf-opsawg-pcapng. C counterpart: {@code pcap_open_offline()}
 * and {@code pcap_next_ex()} of libpcap.
 *
 * <p>Not for use by several threads at once.
 */
public final class CaptureReader implements AutoCloseable {
  /** The longest frame that is accepted, in bytes: the snap length limit of common tools. */
  public static final int FRAME_BYTES_MAX = 262_144;

  /** The longest pcapng block that is accepted, in bytes. */
  public static final int BLOCK_BYTES_MAX = 16 * 1024 * 1024;

  /** The most interfaces that one section of a pcapng file may describe. */
  public static final int INTERFACES_MAX = 1_024;

  /** The only link type that is accepted. */
  static final int LINK_TYPE_ETHERNET = 1;

  private static final int MAGIC_BYTES = 4;

  private final InputStream in;
  private final Format format;

  /** One of the two file formats, past its magic number. */
  interface Format {
    /** The next frame, or null at the end of the file. */
    @Nullable CapturedFrame next() throws IOException;
  }

  private CaptureReader(InputStream in, Format format) {
    this.in = in;
    this.format = format;
  }

  /**
   * Opens a capture file.
   *
   * @param file the file
   * @return a reader, to be closed by the caller
   * @throws CaptureFormatException if it is not a capture, or not of Ethernet
   * @throws IOException if it cannot be read
   */
  public static CaptureReader open(Path file) throws IOException {
    InputStream in = new BufferedInputStream(Files.newInputStream(file));
    try {
      return open(in);
    } catch (IOException | RuntimeException e) {
      in.close();
      throw e;
    }
  }

  /**
   * Reads a capture from a stream.
   *
   * @param in the stream; closing the reader closes it
   * @return a reader
   * @throws CaptureFormatException if it is not a capture, or not of Ethernet
   * @throws IOException if it cannot be read
   */
  public static CaptureReader open(InputStream in) throws IOException {
    byte[] magic = in.readNBytes(MAGIC_BYTES);
    if (magic.length < MAGIC_BYTES) {
      throw new CaptureFormatException(
          "not a capture: the file has " + magic.length + " bytes, a capture starts with four");
    }
    int value = BigEndian.get32(magic, 0);
    CaptureInput input = new CaptureInput(in);
    if (value == PcapngFormat.MAGIC) {
      return new CaptureReader(in, new PcapngFormat(input));
    }
    if (PcapFormat.isMagic(value)) {
      return new CaptureReader(in, new PcapFormat(input, value));
    }
    throw new CaptureFormatException(
        String.format(
            Locale.ROOT,
            "not a capture: the file starts with 0x%08x, which is neither pcap nor pcapng",
            value));
  }

  /**
   * Reads all frames of a file.
   *
   * @param file the file
   * @return its frames, in order
   * @throws CaptureFormatException if it is not a capture, is truncated, or is not of Ethernet
   * @throws IOException if it cannot be read
   */
  public static List<CapturedFrame> readAll(Path file) throws IOException {
    List<CapturedFrame> frames = new ArrayList<>();
    try (CaptureReader reader = open(file)) {
      for (CapturedFrame frame = reader.next(); frame != null; frame = reader.next()) {
        frames.add(frame);
      }
    }
    return frames;
  }

  /**
   * Reads the next frame.
   *
   * @return the frame, or null at the end of the file
   * @throws CaptureFormatException if the file is truncated or damaged, or not of Ethernet
   * @throws IOException if it cannot be read
   */
  public @Nullable CapturedFrame next() throws IOException {
    return format.next();
  }

  /** Closes the file. */
  @Override
  public void close() throws IOException {
    in.close();
  }

  static void checkLinkType(int linkType) throws CaptureFormatException {
    if (linkType != LINK_TYPE_ETHERNET) {
      throw new CaptureFormatException(
          "link type " + linkType + " is not Ethernet (1), the only one that is read");
    }
  }

  /** Checks the length that a frame claims to have in the file. */
  static int checkFrameLength(long frame, long length) throws CaptureFormatException {
    if (length > FRAME_BYTES_MAX) {
      throw new CaptureFormatException(
          String.format(
              Locale.ROOT,
              "frame %d claims %d bytes, more than the %d that are accepted",
              frame,
              length,
              FRAME_BYTES_MAX));
    }
    return (int) length;
  }
}
