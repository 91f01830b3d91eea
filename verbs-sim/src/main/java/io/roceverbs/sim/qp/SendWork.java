package io.roceverbs.sim.qp;

import io.roceverbs.sim.memory.MemoryMapping;
import io.roceverbs.sim.memory.Registration;
import io.roceverbs.sim.memory.WindowBind;
import io.roceverbs.verbs.SendFlag;
import io.roceverbs.verbs.SendOpcode;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A request in the send queue: the copy of what was posted, and how far it has come.
 *
 * <p>One object for each slot of the queue, made when the slot is first used and used again ever
 * after.
 */
public final class SendWork extends Work<SendWork> {
  private static final byte[] NO_INLINE_DATA = new byte[0];

  private final SegmentList segments = new SegmentList();
  private long id;
  private SendOpcode opcode = SendOpcode.SEND;
  private int flags;
  private long remoteAddress;
  private int rkey;
  private int immediate;
  private int invalidateKey;
  private @Nullable Path path;
  private int remoteQueuePair;
  private int remoteQueueKey;
  private boolean toForeignDomain;
  private int sharedReceiveQueueNumber;
  private long compare;
  private long swapOrAdd;
  private byte[] inlineData = NO_INLINE_DATA;
  private int inlineLength;
  private @Nullable Registration registration;
  private @Nullable MemoryMapping mapping;
  private int registrationAccess;
  private @Nullable WindowBind bind;

  /**
   * Whether packet sequence numbers were given to it, or, for a local operation, whether it was
   * executed.
   */
  private boolean started;

  private int firstPsn;
  private int psnCount;
  private int responsesReceived;
  private int lastReadRequestPsn;

  /** Begins a new request in this slot. */
  public void reset(long newId, SendOpcode newOpcode, int newFlags) {
    id = newId;
    if (opcode != newOpcode) { // for the barrier of the garbage collector
      opcode = newOpcode;
    }
    flags = newFlags;
    segments.clear();
    inlineLength = 0;
    path = null;
    registration = null;
    mapping = null;
    started = false;
    psnCount = 0;
    responsesReceived = 0;
  }

  /** Sets where the peer's memory is. */
  public void remote(long address, int key) {
    remoteAddress = address;
    rkey = key;
  }

  /**
   * Sets where a datagram goes.
   *
   * @param isForeign whether the address handle belongs to another protection domain
   */
  public void datagram(Path way, int queuePair, int queueKey, boolean isForeign) {
    path = way;
    remoteQueuePair = queuePair;
    remoteQueueKey = queueKey;
    toForeignDomain = isForeign;
  }

  /** Sets the shared receive queue at the peer that an XRC request is for. */
  public void sharedReceiveQueue(int number) {
    sharedReceiveQueueNumber = number;
  }

  /** Sets the immediate data. */
  public void immediate(int value) {
    immediate = value;
  }

  /** Sets the key that LOCAL_INV or SEND_WITH_INV names. */
  public void invalidateKey(int key) {
    invalidateKey = key;
  }

  /** Sets the operands of an atomic. */
  public void operands(long compareValue, long swapOrAddValue) {
    compare = compareValue;
    swapOrAdd = swapOrAddValue;
  }

  /** Sets what REG_MR is to do, with the mapping as it is at post. */
  public void registration(
      Registration target, int key, int access, @Nullable MemoryMapping newMapping) {
    registration = target;
    invalidateKey = key;
    registrationAccess = access;
    mapping = newMapping;
  }

  /** What BIND_MW is to do, to be filled in or read; made when a slot first needs it. */
  public WindowBind bind() {
    if (bind == null) {
      bind = new WindowBind();
    }
    return bind;
  }

  /**
   * Copies a piece of inline data: the one case in which the payload is kept (rule PAYLOAD-INLINE).
   */
  public void inline(ByteBuffer piece) {
    int length = piece.remaining();
    if (inlineData.length < inlineLength + length) {
      inlineData = Arrays.copyOf(inlineData, inlineLength + length);
    }
    piece.get(piece.position(), inlineData, inlineLength, length);
    inlineLength += length;
  }

  /** The pieces of memory that it names. */
  public SegmentList segments() {
    return segments;
  }

  /** The id that its completion will bear. */
  long id() {
    return id;
  }

  /** What it asks for. */
  SendOpcode opcode() {
    return opcode;
  }

  /** Whether a flag was set at post. */
  boolean has(SendFlag flag) {
    return (flags & flag.value()) != 0;
  }

  /** Bytes of its message: sent, written or asked for. */
  long messageBytes() {
    return has(SendFlag.INLINE) ? inlineLength : segments.totalBytes();
  }

  byte[] inlineData() {
    return inlineData;
  }

  long remoteAddress() {
    return remoteAddress;
  }

  int rkey() {
    return rkey;
  }

  Path path() {
    Path way = path;
    if (way == null) {
      throw new AssertionError("only a datagram has a way of its own");
    }
    return way;
  }

  int remoteQueuePair() {
    return remoteQueuePair;
  }

  int remoteQueueKey() {
    return remoteQueueKey;
  }

  boolean isToForeignDomain() {
    return toForeignDomain;
  }

  int sharedReceiveQueueNumber() {
    return sharedReceiveQueueNumber;
  }

  int immediate() {
    return immediate;
  }

  int invalidateKey() {
    return invalidateKey;
  }

  long compare() {
    return compare;
  }

  long swapOrAdd() {
    return swapOrAdd;
  }

  Registration registration() {
    Registration target = registration;
    if (target == null) {
      throw new AssertionError("only a REG_MR request has a region");
    }
    return target;
  }

  @Nullable MemoryMapping mapping() {
    return mapping;
  }

  int registrationAccess() {
    return registrationAccess;
  }

  boolean isStarted() {
    return started;
  }

  /** Marks a local operation as executed; it never runs again (rule LOCAL-ONCE). */
  void markExecuted() {
    started = true;
  }

  /** Gives it its packet sequence numbers, which it keeps however often it is sent. */
  void start(int psn, int count) {
    started = true;
    firstPsn = psn;
    psnCount = count;
    lastReadRequestPsn = psn;
  }

  int firstPsn() {
    return firstPsn;
  }

  int psnCount() {
    return psnCount;
  }

  /** READ response packets placed so far; 1 for an atomic whose result has come. */
  int responsesReceived() {
    return responsesReceived;
  }

  void countResponse() {
    responsesReceived++;
  }

  /** The PSN of the READ request sent last, at which a responder may begin its answer anew. */
  int lastReadRequestPsn() {
    return lastReadRequestPsn;
  }

  void lastReadRequestPsn(int psn) {
    lastReadRequestPsn = psn;
  }
}
