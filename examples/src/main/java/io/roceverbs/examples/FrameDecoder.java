package io.roceverbs.examples;

import io.roceverbs.sim.wire.CapturedFrame;
import io.roceverbs.sim.wire.DecodeStatus;
import io.roceverbs.sim.wire.NetworkHeaders;
import io.roceverbs.sim.wire.Packet;
import io.roceverbs.sim.wire.PacketCodec;
import io.roceverbs.sim.wire.PacketView;
import io.roceverbs.verbs.Gid;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;

/** Decodes frames, encodes them again, describes each in a line, and counts. */
final class FrameDecoder {
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private final PacketCodec codec = new PacketCodec();
  private final Packet packet = new Packet();
  private String name = "";
  private long firstNanos;
  private boolean isFirst;
  private String line = "";
  private long packets;
  private long roce;
  private long icrcRight;
  private long reencoded;

  /** The next frames are from this file; their times count from the first of them. */
  void beginFile(Path file) {
    Path last = file.getFileName();
    name = String.valueOf(last == null ? file : last);
    isFirst = true;
  }

  void decode(CapturedFrame frame) {
    if (isFirst) {
      firstNanos = frame.timestampNanos();
      isFirst = false;
    }
    packets++;
    byte[] bytes = frame.bytes();
    DecodeStatus status = codec.decode(bytes, 0, bytes.length, packet);
    boolean isRoce = isHeadersRead(status) || PacketView.isRoce(bytes, 0, bytes.length);
    String text = "not RoCEv2, " + bytes.length + " bytes";
    if (isRoce) {
      roce++;
      icrcRight += isIcrcRight(status) ? 1 : 0;
      boolean isSame = isHeadersRead(status) && isEncodedAlike(bytes);
      reencoded += isSame ? 1 : 0;
      text = describe(status, isSame);
    }
    line =
        String.format(
            Locale.ROOT, "%s:%d %s %s", name, frame.number(), time(frame.timestampNanos()), text);
  }

  /** Whether the frame has come as far as its ICRC: the packet then has what there is. */
  private static boolean isHeadersRead(DecodeStatus status) {
    return status == DecodeStatus.OK || status.compareTo(DecodeStatus.BAD_ICRC) >= 0;
  }

  private static boolean isIcrcRight(DecodeStatus status) {
    return isHeadersRead(status) && status != DecodeStatus.BAD_ICRC;
  }

  /** Whether the packet gives the captured bytes again, but for Ethernet pad behind them. */
  private boolean isEncodedAlike(byte[] captured) {
    if (!packet.hasOpcode()) {
      return false;
    }
    byte[] encoded;
    try {
      encoded = codec.toFrame(packet);
    } catch (IllegalArgumentException e) {
      // A payload where its opcode takes none: the packet can't be built, so it is not the same.
      return false;
    }
    int length = encoded.length;
    return length <= captured.length && Arrays.equals(encoded, 0, length, captured, 0, length);
  }

  private String describe(DecodeStatus status, boolean isSame) {
    if (!isHeadersRead(status)) {
      return status + ": " + status.text();
    }
    NetworkHeaders network = packet.network();
    String addresses =
        address(network.sourceHigh(), network.sourceLow())
            + " > "
            + address(network.destinationHigh(), network.destinationLow());
    String fault = status == DecodeStatus.OK ? "" : " " + status + ": " + status.text();
    String difference = isSame ? "" : " (encodes to other bytes)";
    return addresses + " " + packet + fault + difference;
  }

  private static String address(long high, long low) {
    Gid gid = new Gid(high, low);
    return gid.isIpv4Mapped() ? gid.toInetAddress().getHostAddress() : gid.toString();
  }

  private String time(long nanos) {
    long since = nanos - firstNanos;
    String sign = since < 0 ? "-" : "";
    long distance = Math.abs(since);
    return String.format(
        Locale.ROOT, "%s%d.%09d", sign, distance / NANOS_PER_SECOND, distance % NANOS_PER_SECOND);
  }

  /** The last frame in words. */
  String line() {
    return line;
  }

  /** All frames in numbers. */
  String totals() {
    return String.format(
        Locale.ROOT,
        "packets=%d roce=%d icrc_ok=%d reencoded=%d",
        packets,
        roce,
        icrcRight,
        reencoded);
  }

  /** Whether each RoCEv2 packet has a right ICRC and was encoded to the same bytes. */
  boolean isAllRight() {
    return icrcRight == roce && reencoded == roce;
  }
}
