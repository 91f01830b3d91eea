package io.roceverbs.sim.device;

import io.roceverbs.sim.memory.KeyFault;
import io.roceverbs.sim.profile.DeviceLimits;
import io.roceverbs.sim.profile.DeviceProfile;
import io.roceverbs.sim.profile.ErrorSwitch;
import io.roceverbs.sim.profile.PostingSwitch;
import io.roceverbs.sim.qp.QueuePairEngine;
import io.roceverbs.sim.qp.ReceiveWork;
import io.roceverbs.sim.qp.SegmentList;
import io.roceverbs.sim.qp.SendWork;
import io.roceverbs.verbs.DeviceCapability;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.FastRegistrationRegion;
import io.roceverbs.verbs.MemoryWindowBinding;
import io.roceverbs.verbs.PostException;
import io.roceverbs.verbs.QueuePairCapacities;
import io.roceverbs.verbs.QueuePairInit;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.QueuePairType;
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
  private static final int NUMBER_MAX = 0xFF_FFFF;

  private final QueuePairType type;
  private final QueuePairCapacities capacities;
  private final @Nullable String noReceives;
  private final SimProtectionDomain domain;
  private final SimDevice device;
  private final PostErrnos errnos;
  private final BatchChecks batch;
  private final boolean zeroDepthWaits;
  private final boolean foreignHandleFailsLater;
  private final boolean memoryOperationsOnUc;
  private final boolean looksAtLkeys;
  private final boolean pinsPayload;

  PostChecks(QueuePairInit init, SimProtectionDomain domain) {
    this.type = init.type();
    this.capacities = init.capacities();
    this.noReceives = noReceives(init);
    this.domain = domain;
    this.device = domain.device();
    DeviceProfile profile = device.profile();
    this.errnos = PostErrnos.ofPost(profile);
    this.batch = new BatchChecks(init, profile, this);
    this.zeroDepthWaits = profile.is(PostingSwitch.ZeroReadDepth.WAIT);
    this.foreignHandleFailsLater =
        profile.is(PostingSwitch.AddressHandleOfOtherDomain.COMPLETION_ERROR);
    this.memoryOperationsOnUc = profile.is(PostingSwitch.MemoryOperationsOnUc.ON);
    this.looksAtLkeys = profile.is(PostingSwitch.LkeyCheckAtPost.YES);
    this.pinsPayload = profile.is(ErrorSwitch.PayloadSource.PINNED);
  }

  /** What is checked besides when a batch is completed. */
  BatchChecks batch() {
    return batch;
  }

  int maxSendRequests() {
    return capacities.maxSendRequests();
  }

  int maxReceiveRequests() {
    return capacities.maxReceiveRequests();
  }

  /** Whether the check or the copy of one of these looks at the tables of the device. */
  boolean needTables(SendRequest first) {
    if (looksAtLkeys || pinsPayload) {
      return true;
    }
    SendRequest request = first;
    for (int i = 0; request != null && i < capacities.maxSendRequests(); i++) {
      if (isLocal(request)) {
        return true;
      }
      request = request.next();
    }
    return false;
  }

  /** The same for a batch. */
  boolean needTables(SimSendBatch batch) {
    if (looksAtLkeys || pinsPayload) {
      return true;
    }
    for (int i = 0; i < batch.size(); i++) {
      if (isLocal(batch.request(i))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isLocal(SendRequest request) {
    SendOpcode opcode = request.opcode();
    return opcode != null && opcode.isLocal();
  }

  void checkSend(QueuePairEngine engine, SendRequest request, int index) {
    PostFault fault = sendFault(engine, request, 1, errnos);
    if (fault != null) {
      throw refused(fault, index, request.id());
    }
  }

  /** The same for the bind of a window of type 1, which is no request of the ULP's own. */
  void checkBind(QueuePairEngine engine, SendRequest request) {
    PostFault fault = sendQueueFault(engine, 1, errnos);
    if (fault == null && !canDo(SendOpcode.BIND_MW)) {
      fault = PostFault.invalid("a " + type + " queue pair has no memory windows");
    }
    if (fault != null) {
      throw refused(fault, 0, request.id());
    }
  }

  /**
   * Finds what is wrong with a request.
   *
   * @param slots how many free slots it takes, which is one more for each request posted with it
   * @param by the error numbers of the call
   * @return the fault, or null
   */
  @Nullable PostFault sendFault(
      QueuePairEngine engine, SendRequest request, int slots, PostErrnos by) {
    PostFault queueFault = sendQueueFault(engine, slots, by);
    if (queueFault != null) {
      return queueFault;
    }
    if (request.segmentCount() > capacities.maxSendSegments()) {
      return new PostFault(
          by.illegal(),
          request.segmentCount()
              + " segments are more than the queue pair's "
              + capacities.maxSendSegments());
    }
    long inlineBytes = inlineBytes(request);
    if (inlineBytes > capacities.maxInlineBytes()) {
      return new PostFault(
          by.inlineTooLong(),
          inlineBytes
              + " bytes of inline data are more than the queue pair's "
              + capacities.maxInlineBytes());
    }
    String fault = sendFault(engine, request);
    return fault == null ? null : PostFault.invalid(fault);
  }

  /** Whether the send queue takes a request at all. */
  private @Nullable PostFault sendQueueFault(QueuePairEngine engine, int slots, PostErrnos by) {
    switch (engine.state()) {
      case RTS, SQD, SQE, ERR -> {
        // Rule POST-STATES: posted and sent, posted and held, or posted and flushed.
      }
      case RESET, INIT, RTR, UNKNOWN -> {
        return new PostFault(
            by.illegal(),
            "the queue pair is in "
                + engine.state()
                + "; a send is posted in RTS, SQD, SQE or ERR");
      }
    }
    int free = engine.sendSlots().free();
    return free >= slots ? null : sendQueueFull(free, slots);
  }

  /** What is wrong when another thread has taken the slots that were free. */
  PostFault sendQueueFull(QueuePairEngine engine, int slots) {
    return sendQueueFull(Math.min(engine.sendSlots().free(), slots - 1), slots);
  }

  PostException sendQueueFull(QueuePairEngine engine, SendRequest request, int index) {
    return refused(sendQueueFull(engine, 1), index, request.id());
  }

  private PostFault sendQueueFull(int free, int slots) {
    int all = capacities.maxSendRequests();
    String taken =
        free == 0
            ? "all " + all + " slots of the send queue are taken"
            : free + " of " + all + " slots of the send queue are free, and " + slots + " needed";
    return new PostFault(
        Errno.ENOMEM,
        taken + "; one is freed when its completion, or that of a later request, is polled");
  }

  private @Nullable String sendFault(QueuePairEngine engine, SendRequest request) {
    SendOpcode opcode = request.opcode();
    if (opcode == null) {
      return "the request has no operation; call send(), rdmaWrite() or another one first";
    }
    // Rule POST-OPCODE: what the transport can't do is refused at once.
    if (!canDo(opcode)) {
      return opcode + " is not an operation of a " + type + " queue pair of this device";
    }
    String fault =
        switch (type) {
          case UD -> handleFault(request);
          case XRC_SEND -> sharedQueueFault(request);
          case RC, UC, XRC_RECV -> null;
          case SMI, GSI, RAW_PACKET, DRIVER ->
              throw new AssertionError("no device makes a queue pair of type " + type);
        };
    if (fault != null) {
      return fault;
    }
    if (request.hasFlag(SendFlag.INLINE)) {
      return opcode.isSend() || opcode.isWrite()
          ? null
          : "inline data is for SEND and WRITE, not for " + opcode;
    }
    if (opcode.isLocal()) {
      return localFault(opcode, request);
    }
    long bytes = totalBytes(request);
    if (bytes > DeviceLimits.MESSAGE_BYTES_MAX) {
      return "a message of " + bytes + " bytes is longer than 2^31";
    }
    String keyFault = looksAtLkeys ? lkeyFault(opcode, request) : null;
    if (keyFault != null) {
      return keyFault;
    }
    if (opcode.isAtomic()) {
      return atomicFault(engine, request, bytes);
    }
    return opcode.isReadOrAtomic() ? depthFault(engine) : null;
  }

  /** On a device that looks at the lkeys at post, before it does so again when it uses them. */
  private @Nullable String lkeyFault(SendOpcode opcode, SendRequest request) {
    for (int i = 0; i < request.segmentCount(); i++) {
      long length = request.segmentLength(i);
      KeyFault fault =
          length == 0
              ? KeyFault.NONE
              : device
                  .keys()
                  .checkLocal(
                      request.segmentLkey(i),
                      domain.number(),
                      opcode.isReadOrAtomic(),
                      request.segmentAddress(i),
                      length);
      if (fault != KeyFault.NONE) {
        return "segment " + i + ": " + fault.text();
      }
    }
    return null;
  }

  /** Whether a queue pair of this type on this device has an operation. */
  boolean canDo(SendOpcode opcode) {
    return switch (opcode) {
      case SEND, SEND_WITH_IMM -> true;
      case RDMA_WRITE, RDMA_WRITE_WITH_IMM -> type != QueuePairType.UD;
      case RDMA_READ, ATOMIC_CMP_AND_SWP, ATOMIC_FETCH_AND_ADD -> isReliable();
      case SEND_WITH_INV -> isReliable() && hasMemoryManagement();
      case BIND_MW -> type != QueuePairType.UD;
      case LOCAL_INV, REG_MR ->
          (isReliable() || (type == QueuePairType.UC && memoryOperationsOnUc))
              && hasMemoryManagement();
      case TSO, DRIVER1, MASKED_ATOMIC_CMP_AND_SWP, MASKED_ATOMIC_FETCH_AND_ADD -> false;
      case FLUSH, ATOMIC_WRITE, REG_MR_INTEGRITY -> false;
    };
  }

  private boolean isReliable() {
    return type == QueuePairType.RC || type == QueuePairType.XRC_SEND;
  }

  private boolean hasMemoryManagement() {
    return device.profile().has(DeviceCapability.MEM_MGT_EXTENSIONS);
  }

  private static @Nullable String sharedQueueFault(SendRequest request) {
    int number = request.sharedReceiveQueueNumber();
    return number < 0 || number > NUMBER_MAX
        ? "shared receive queue number " + number + " is not in 0..0xffffff"
        : null;
  }

  private @Nullable String handleFault(SendRequest request) {
    if (!(request.addressHandle() instanceof SimAddressHandle handle) || !handle.isOpen()) {
      return "a datagram needs an open address handle; call to(handle, number, key)";
    }
    if (handle.domain().number() != domain.number()
        && (!foreignHandleFailsLater || handle.domain().device() != device)) {
      return "the address handle belongs to another protection domain";
    }
    int number = request.remoteQueuePairNumber();
    return number < 0 || number > NUMBER_MAX
        ? "remote queue pair number " + number + " is not in 0..0xffffff"
        : null;
  }

  private static long inlineBytes(SendRequest request) {
    long bytes = 0;
    for (int i = 0; i < request.inlineCount(); i++) {
      bytes += request.inlineData(i).remaining();
    }
    return bytes;
  }

  private @Nullable String localFault(SendOpcode opcode, SendRequest request) {
    if (request.segmentCount() != 0) {
      return opcode + " is a local operation and takes no segments";
    }
    if (opcode == SendOpcode.BIND_MW) {
      return WindowChecks.typeTwoFault(device, request.memoryWindow());
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

  private @Nullable String atomicFault(QueuePairEngine engine, SendRequest request, long bytes) {
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

  private @Nullable String depthFault(QueuePairEngine engine) {
    return engine.maxReadAtomic() == 0 && !zeroDepthWaits
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

  /** Why a queue pair has no receive queue of its own, or null if it has one. */
  private static @Nullable String noReceives(QueuePairInit init) {
    if (init.type() == QueuePairType.XRC_SEND) {
      return "an XRC initiator receives nothing";
    }
    return init.sharedReceiveQueue() == null
        ? null
        : "the queue pair takes its receives from a shared queue; post there";
  }

  void checkReceive(QueuePairEngine engine, ReceiveRequest request, int index) {
    if (noReceives != null) {
      throw refused(Errno.EINVAL, noReceives, index, request.id());
    }
    if (engine.state() == QueuePairState.RESET) {
      throw refused(
          Errno.EINVAL,
          "the queue pair is in RESET; a receive is posted from INIT on",
          index,
          request.id());
    }
    if (engine.receiveSlots().free() == 0) {
      throw receiveQueueFull(request, index);
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

  PostException receiveQueueFull(ReceiveRequest request, int index) {
    return refused(
        Errno.ENOMEM,
        "all "
            + capacities.maxReceiveRequests()
            + " slots of the receive queue are taken; one is freed when its completion is polled",
        index,
        request.id());
  }

  private static PostException refused(PostFault fault, int index, long id) {
    return refused(fault.errno(), fault.detail(), index, id);
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
    if (pinsPayload && !opcode.isReadOrAtomic()) {
      segments.pin(device.keys(), domain.number());
    }
    to.remote(from.remoteAddress(), from.rkey());
    to.immediate(from.immediate());
    to.sharedReceiveQueue(from.sharedReceiveQueueNumber());
    to.invalidateKey(from.invalidateKey());
    to.operands(from.compare(), from.swapOrAdd());
    if (type == QueuePairType.UD && from.addressHandle() instanceof SimAddressHandle handle) {
      to.datagram(
          handle.path(),
          from.remoteQueuePairNumber(),
          from.remoteQueueKey(),
          handle.domain().number() != domain.number());
    }
    if (from.registrationRegion() instanceof SimFastRegistrationRegion region) {
      to.registration(
          region.registration(),
          from.registrationKey(),
          from.registrationAccess().value(),
          region.mapping());
    }
    if (from.memoryWindow() instanceof SimMemoryWindow window) {
      MemoryWindowBinding binding = from.memoryWindowBinding();
      to.bind()
          .set(
              window.rkey(),
              from.memoryWindowRkey(),
              binding.lkey(),
              binding.address(),
              binding.length(),
              binding.access().value());
      window.posted(from.memoryWindowRkey());
    }
  }

  /** Copies a request into its slot. */
  static void copy(ReceiveRequest from, ReceiveWork to) {
    to.reset(from.id());
    SegmentList segments = to.segments();
    for (int i = 0; i < from.segmentCount(); i++) {
      segments.add(from.segmentAddress(i), from.segmentLength(i), from.segmentLkey(i));
    }
  }
}
