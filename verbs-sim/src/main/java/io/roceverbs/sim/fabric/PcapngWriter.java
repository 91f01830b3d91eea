package io.roceverbs.sim.fabric;

import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes Ethernet frames as a pcapng file, with times in nanoseconds and comments.
 *
 * <p>Source: IETF draft-ietf-opsawg-pcapng, sections 4.1 (section header), 4.2 (interface
 * description) and 4.3 (enhanced packet).
 */
public final class PcapngWriter implements Closeable {
  private static final String APPLICATION = "RoCE verbs simulator";
  private static final int SECTION_HEADER = 0x0A0D_0D0A;
  private static final int INTERFACE_DESCRIPTION = 1;
  private static final int ENHANCED_PACKET = 6;
  private static final int BYTE_ORDER_MAGIC = 0x1A2B_3C4D;
  private static final short VERSION_MAJOR = 1;
  private static final short VERSION_MINOR = 0;
  private static final long SECTION_LENGTH_UNKNOWN = -1;
  private static final short LINK_TYPE_ETHERNET = 1;
  private static final int SNAP_LENGTH_UNLIMITED = 0;
  private static final short OPTION_END = 0;
  private static final short OPTION_COMMENT = 1;
  private static final short OPTION_INTERFACE_NAME = 2;
  private static final short OPTION_USER_APPLICATION = 4;
  private static final short OPTION_TIME_RESOLUTION = 9;
  private static final byte NANOSECONDS = 9;
  private static final int BLOCK_FRAME_BYTES = 12;
  private static final int OPTION_HEADER_BYTES = 4;
  private static final int PACKET_FIELDS_BYTES = 20;
  private static final int HEADER_BYTES_MAX = 256;
  private static final int STREAM_BUFFER_BYTES = 1 << 16;
  private static final byte[] PADDING = new byte[4];
  private static final byte[] NOTHING = {};

  private final OutputStream out;
  private final byte[] header = new byte[HEADER_BYTES_MAX];
  private final ByteBuffer fields = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN);
  private final List<CapturePlace> interfaces = new ArrayList<>();

  /**
   * Begins a capture.
   *
   * @param target where it goes; closed with this writer
   * @throws IOException if the target can't be written
   */
  public PcapngWriter(OutputStream target) throws IOException {
    this.out = new BufferedOutputStream(target, STREAM_BUFFER_BYTES);
    writeSectionHeader();
    writeInterfaceDescription(CapturePlace.NODE);
    out.flush();
  }

  /**
   * Begins a capture in a file, replacing one that is there.
   *
   * @param file where it goes
   * @return the writer
   * @throws IOException if the file can't be written
   */
  public static PcapngWriter open(Path file) throws IOException {
    return new PcapngWriter(Files.newOutputStream(file));
  }

  private void writeSectionHeader() throws IOException {
    byte[] application = APPLICATION.getBytes(StandardCharsets.UTF_8);
    int optionBytes = optionBytes(application.length) + OPTION_HEADER_BYTES;
    int blockBytes = BLOCK_FRAME_BYTES + 16 + optionBytes;
    fields.clear().putInt(SECTION_HEADER).putInt(blockBytes);
    fields.putInt(BYTE_ORDER_MAGIC).putShort(VERSION_MAJOR).putShort(VERSION_MINOR);
    fields.putLong(SECTION_LENGTH_UNKNOWN);
    putOption(OPTION_USER_APPLICATION, application);
    fields.putInt(OPTION_END).putInt(blockBytes);
    writeFields();
  }

  private void writeInterfaceDescription(CapturePlace place) throws IOException {
    interfaces.add(place);
    String name = place.interfaceName();
    byte[] nameBytes = name == null ? NOTHING : name.getBytes(StandardCharsets.UTF_8);
    int blockBytes = BLOCK_FRAME_BYTES + 8 + optionBytes(1) + OPTION_HEADER_BYTES;
    if (nameBytes.length > 0) {
      blockBytes += optionBytes(nameBytes.length);
    }
    fields.clear().putInt(INTERFACE_DESCRIPTION).putInt(blockBytes);
    fields.putShort(LINK_TYPE_ETHERNET).putShort((short) 0).putInt(SNAP_LENGTH_UNLIMITED);
    if (nameBytes.length > 0) {
      putOption(OPTION_INTERFACE_NAME, nameBytes);
    }
    putOption(OPTION_TIME_RESOLUTION, new byte[] {NANOSECONDS});
    fields.putInt(OPTION_END).putInt(blockBytes);
    writeFields();
  }

  /** The number of an interface, which is described in the file before its first frame. */
  private int interfaceOf(CapturePlace place) throws IOException {
    int index = interfaces.indexOf(place);
    if (index < 0) {
      writeInterfaceDescription(place);
      return interfaces.size() - 1;
    }
    return index;
  }

  /**
   * Adds a frame.
   *
   * @param place where it was seen
   * @param timeNanos when it was seen
   * @param buffer holds its bytes
   * @param offset where they start
   * @param length how many they are
   * @param comment what a reader should know about it, or null
   * @throws IOException if the target can't be written
   */
  public void write(
      CapturePlace place,
      long timeNanos,
      byte[] buffer,
      int offset,
      int length,
      @Nullable String comment)
      throws IOException {
    int interfaceNumber = interfaceOf(place);
    byte[] text = comment == null ? PADDING : comment.getBytes(StandardCharsets.UTF_8);
    int commentBytes = comment == null ? 0 : optionBytes(text.length) + OPTION_HEADER_BYTES;
    int padBytes = padding(length);
    int blockBytes = BLOCK_FRAME_BYTES + PACKET_FIELDS_BYTES + length + padBytes + commentBytes;
    fields.clear().putInt(ENHANCED_PACKET).putInt(blockBytes);
    fields.putInt(interfaceNumber).putInt((int) (timeNanos >>> 32)).putInt((int) timeNanos);
    fields.putInt(length).putInt(length);
    writeFields();
    out.write(buffer, offset, length);
    out.write(PADDING, 0, padBytes);
    if (comment != null) {
      writeComment(text);
    }
    fields.clear().putInt(blockBytes);
    writeFields();
  }

  private void writeComment(byte[] text) throws IOException {
    fields.clear().putShort(OPTION_COMMENT).putShort((short) text.length);
    writeFields();
    out.write(text);
    out.write(PADDING, 0, padding(text.length));
    fields.clear().putInt(OPTION_END);
    writeFields();
  }

  private void putOption(short code, byte[] value) {
    fields.putShort(code).putShort((short) value.length).put(value);
    fields.put(PADDING, 0, padding(value.length));
  }

  private void writeFields() throws IOException {
    out.write(header, 0, fields.position());
  }

  private static int optionBytes(int valueBytes) {
    return OPTION_HEADER_BYTES + valueBytes + padding(valueBytes);
  }

  private static int padding(int bytes) {
    return -bytes & 3;
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
