package io.roceverbs.sim.device;

import io.roceverbs.sim.profile.DeviceLimits;
import io.roceverbs.sim.qp.QueuePairEngine;
import io.roceverbs.sim.qp.ReceiveWork;
import io.roceverbs.sim.qp.SegmentList;
import io.roceverbs.sim.qp.SendWork;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.FastRegistrationRegion;
import io.roceverbs.verbs.PostException;
import io.roceverbs.verbs.QueuePairCapacities;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.ReceiveRequest;
import io.roceverbs.verbs.SendFlag;
import io.roceverbs.verbs.SendOpcode;
import io.roceverbs.verbs.SendRequest;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What is checked at post, and the copy of what passed. Keys are not among it: an adapter looks at
 * them when it uses them (rule KEY-LAZY).
 */
final class PostChecks {
  private static final String CALL = "QueuePair.post";

  private final QueuePairCapacities capacities;
  private final SimDevice device;

  PostChecks(QueuePairCapacities capacities, SimDevice device) {
    this.capacities = capacities;
    this.device = device;
  }

  void checkSend(QueuePairEngine engine, SendRequest request, int index) {
    switch (engine.state()) {
      case RTS, SQD, SQE, ERR -> {
        // Rule POST-STATES: posted and sent, posted and held, or posted and flushed.
      }
      case RESET, INIT, RTR, UNKNOWN ->
          throw refused(
              Errno.EINVAL,
              "the queue pair is in "
                  + engine.state()
                  + "; a send is posted in RTS, SQD, SQE or ERR",
              index,
              request.id());
    }
    if (engine.isSendQueueFull()) {
      throw refused(
          Errno.ENOMEM,
          "all "
              + capacities.maxSendRequests()
              + " slots of the send queue are taken; one is freed when its completion, or that of a"
              + " later request, is polled",
          index,
          request.id());
    }
    String fault = sendFault(engine, request);
    if (fault != null) {
      throw refused(Errno.EINVAL, fault, index, request.id());
    }
  }

  private @Nullable String sendFault(QueuePairEngine engine, SendRequest request) {
    SendOpcode opcode = request.opcode();
    if (opcode == null) {
      return "the request has no operation; call send(), rdmaWrite() or another one first";
    }
    if (request.segmentCount() > capacities.maxSendSegments()) {
      return request.segmentCount()
          + " segments are more than the queue pair's "
          + capacities.maxSendSegments();
    }
    if (request.hasFlag(SendFlag.INLINE)) {
      return inlineFault(opcode, request);
    }
    if (opcode.isLocal()) {
      return localFault(opcode, request);
    }
    long bytes = totalBytes(request);
    if (bytes > DeviceLimits.MESSAGE_BYTES_MAX) {
      return "a message of " + bytes + " bytes is longer than 2^31";
    }
    if (opcode.isAtomic()) {
      return atomicFault(engine, request, bytes);
    }
    return opcode.isReadOrAtomic() ? depthFault(engine) : null;
  }

  private @Nullable String inlineFault(SendOpcode opcode, SendRequest request) {
    if (!opcode.isSend() && !opcode.isWrite()) {
      return "inline data is for SEND and WRITE, not for " + opcode;
    }
    long bytes = 0;
    for (int i = 0; i < request.inlineCount(); i++) {
      bytes += request.inlineData(i).remaining();
    }
    return bytes > capacities.maxInlineBytes()
        ? bytes
            + " bytes of inline data are more than the queue pair's "
            + capacities.maxInlineBytes()
        : null;
  }

  private @Nullable String localFault(SendOpcode opcode, SendRequest request) {
    if (request.segmentCount() != 0) {
      return opcode + " is a local operation and takes no segments";
    }
    if (opcode != SendOpcode.REG_MR) {
      return null;
    }
    FastRegistrationRegion region = request.registrationRegion();
    return region instanceof SimFastRegistrationRegion own
            && own.isOpen()
            && ((SimProtectionDomain) own.protectionDomain()).device() == device
        ? null
        : "the region to register must be open and of the same device";
  }

  private static @Nullable String atomicFault(
      QueuePairEngine engine, SendRequest request, long bytes) {
    if (bytes != Long.BYTES) {
      return "an atomic's result is 8 bytes long, the segments have " + bytes;
    }
    if ((request.remoteAddress() & (Long.BYTES - 1)) != 0) {
      return String.format(
          Locale.ROOT,
          "an atomic's remote address 0x%x must be a multiple of 8",
          request.remoteAddress());
    }
    return depthFault(engine);
  }

  private static @Nullable String depthFault(QueuePairEngine engine) {
    return engine.maxReadAtomic() == 0
        ? "the queue pair was given maxReadAtomic 0, so a READ or atomic could never start"
        : null;
  }

  private static long totalBytes(SendRequest request) {
    long bytes = 0;
    for (int i = 0; i < request.segmentCount(); i++) {
      bytes += request.segmentLength(i);
    }
    return bytes;
  }

  void checkReceive(QueuePairEngine engine, ReceiveRequest request, int index) {
    if (engine.state() == QueuePairState.RESET) {
      throw refused(
          Errno.EINVAL,
          "the queue pair is in RESET; a receive is posted from INIT on",
          index,
          request.id());
    }
    if (engine.isReceiveQueueFull()) {
      throw refused(
          Errno.ENOMEM,
          "all "
              + capacities.maxReceiveRequests()
              + " slots of the receive queue are taken; one is freed when its completion is polled",
          index,
          request.id());
    }
    if (request.segmentCount() > capacities.maxReceiveSegments()) {
      throw refused(
          Errno.EINVAL,
          request.segmentCount()
              + " segments are more than the queue pair's "
              + capacities.maxReceiveSegments(),
          index,
          request.id());
    }
  }

  private static PostException refused(Errno errno, String detail, int index, long id) {
    return new PostException(errno, CALL, detail, index, id);
  }

  /** Copies a request into its slot. The request is the ULP's again when this returns. */
  void copy(SendRequest from, SendWork to) {
    SendOpcode opcode = from.opcode();
    if (opcode == null) {
      throw new AssertionError("checked before");
    }
    to.reset(from.id(), opcode, from.flags());
    for (int i = 0; i < from.inlineCount(); i++) {
      to.inline(from.inlineData(i));
    }
    SegmentList segments = to.segments();
    for (int i = 0; i < from.segmentCount(); i++) {
      segments.add(from.segmentAddress(i), from.segmentLength(i), from.segmentLkey(i));
    }
    to.remote(from.remoteAddress(), from.rkey());
    to.immediate(from.immediate());
    to.invalidateKey(from.invalidateKey());
    to.operands(from.compare(), from.swapOrAdd());
    if (from.registrationRegion() instanceof SimFastRegistrationRegion region) {
      to.registration(
          region.registration(),
          from.registrationKey(),
          from.registrationAccess().value(),
          region.mapping());
    }
  }

  /** Copies a request into its slot. */
  void copy(ReceiveRequest from, ReceiveWork to) {
    to.reset(from.id());
    SegmentList segments = to.segments();
    for (int i = 0; i < from.segmentCount(); i++) {
      segments.add(from.segmentAddress(i), from.segmentLength(i), from.segmentLkey(i));
    }
  }
}
