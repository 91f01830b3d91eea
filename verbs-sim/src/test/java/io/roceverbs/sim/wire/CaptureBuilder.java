package io.roceverbs.sim.wire;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** Writes capture files for tests, in either byte order. */
final class CaptureBuilder {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteOrder order;

  CaptureBuilder(ByteOrder order) {
    this.order = order;
  }

  /** The file header of pcap, with the link type. */
  CaptureBuilder pcap(int magic, int linkType) {
    return ints(magic).shorts(2, 4).ints(0, 0, 65_535, linkType);
  }

  CaptureBuilder pcapFrame(int seconds, int fraction, byte[] frame, int originalLength) {
    return ints(seconds, fraction, frame.length, originalLength).bytes(frame);
  }

  /** A section header block of pcapng. */
  CaptureBuilder section() {
    return block(0x0A0D_0D0A, body().ints(0x1A2B_3C4D).shorts(1, 0).ints(-1, -1));
  }

  /** An interface description block of pcapng; options are given as their bytes. */
  CaptureBuilder description(int linkType, int snapLength, byte[] options) {
    return block(1, body().shorts(linkType, 0).ints(snapLength).bytes(options));
  }

  CaptureBuilder enhancedPacket(int source, long timestamp, byte[] frame, int originalLength) {
    int high = (int) (timestamp >>> 32);
    return block(
        6,
        body()
            .ints(source, high, (int) timestamp, frame.length, originalLength)
            .bytes(frame)
            .padded());
  }

  CaptureBuilder simplePacket(byte[] frame, int originalLength) {
    return block(3, body().ints(originalLength).bytes(frame).padded());
  }

  CaptureBuilder block(int type, CaptureBuilder body) {
    byte[] bytes = body.toBytes();
    return ints(type, bytes.length + 12).bytes(bytes).ints(bytes.length + 12);
  }

  /** An empty builder of the same byte order. */
  CaptureBuilder body() {
    return new CaptureBuilder(order);
  }

  /** An option of pcapng with its pad. */
  byte[] option(int code, byte... value) {
    return body().shorts(code, value.length).bytes(value).padded().toBytes();
  }

  CaptureBuilder ints(int... values) {
    for (int value : values) {
      bytes(ByteBuffer.allocate(4).order(order).putInt(value).array());
    }
    return this;
  }

  CaptureBuilder shorts(int... values) {
    for (int value : values) {
      bytes(ByteBuffer.allocate(2).order(order).putShort((short) value).array());
    }
    return this;
  }

  CaptureBuilder bytes(byte[] bytes) {
    out.writeBytes(bytes);
    return this;
  }

  CaptureBuilder padded() {
    return bytes(new byte[-out.size() & 3]);
  }

  byte[] toBytes() {
    return out.toByteArray();
  }

  /** Reads what was written. */
  List<CapturedFrame> read() throws IOException {
    return read(toBytes());
  }

  static List<CapturedFrame> read(byte[] file) throws IOException {
    List<CapturedFrame> frames = new ArrayList<>();
    try (CaptureReader reader = CaptureReader.open(new ByteArrayInputStream(file))) {
      for (CapturedFrame frame = reader.next(); frame != null; frame = reader.next()) {
        frames.add(frame);
      }
    }
    return frames;
  }
}
