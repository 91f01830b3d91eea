package io.roceverbs.verbs;

/**
 * The outcome of one work request: {@code struct ibv_wc}, kernel {@code struct ib_wc}.
 *
 * <p>Which fields mean something depends on the outcome. On an error only {@link #id()}, {@link
 * #status()}, {@link #queuePairNumber()}, {@link #vendorError()} and {@link #detail()} do; C leaves
 * garbage in the rest, and programs that look at it work until they meet another adapter. Here
 * reading such a field throws IllegalStateException, unless the provider imitates an adapter that
 * leaves garbage.
 *
 * <table>
 *   <caption>Valid fields of a successful completion</caption>
 *   <tr><th>opcode</th><th>byteLength</th><th>immediate</th><th>invalidatedRkey</th></tr>
 *   <tr><td>SEND, RDMA_WRITE, LOCAL_INV, REG_MR</td><td>no</td><td>no</td><td>no</td></tr>
 *   <tr><td>RDMA_READ, COMP_SWAP, FETCH_ADD</td><td>yes</td><td>no</td><td>no</td></tr>
 *   <tr><td>RECV</td><td>yes</td><td>if WITH_IMM</td><td>if WITH_INV</td></tr>
 *   <tr><td>RECV_RDMA_WITH_IMM</td><td>yes</td><td>yes</td><td>no</td></tr>
 * </table>
 *
 * <p>{@link #sourceQueuePairNumber()} and what InfiniBand's local route header tells are valid for
 * the receive of a datagram.
 *
 * <p>An entry that a poll returned is overwritten by the next poll into the same {@link
 * WorkCompletions}; {@link #copy()} keeps it. Not thread-safe.
 *
 * <p>Source: ibv_poll_cq(3).
 */
public final class WorkCompletion {
  private static final String NO_DETAIL = "";
  private static final int NO_PARTITION_KEY = -1;

  private long id;
  private boolean isFilled;
  private CompletionStatus status = CompletionStatus.SUCCESS;
  private int queuePairNumber;
  private int vendorError;
  private String detail = NO_DETAIL;
  private boolean hasOpcode;
  private CompletionOpcode opcode = CompletionOpcode.SEND;
  private int byteLength;
  private int flags;
  private int immediateOrRkey;
  private int sourceQueuePairNumber;
  private int sourceLocalIdentifier;
  private int serviceLevel;
  private int localIdentifierPathBits;
  private int partitionKeyIndex = NO_PARTITION_KEY;

  /** Whether this is an error whose undefined fields can be read. */
  private boolean hasLeftOvers;

  /** Makes a blank entry, which a provider fills. */
  public WorkCompletion() {}

  /** {@return the id of the request, its {@code wr_id}} */
  public long id() {
    requireFilled();
    return id;
  }

  /** {@return the outcome, the {@code status}} */
  public CompletionStatus status() {
    return requireFilled();
  }

  /** {@return true if the status is SUCCESS} */
  public boolean isSuccess() {
    return requireFilled() == CompletionStatus.SUCCESS;
  }

  /** {@return the number of the local queue pair whose request completed, the {@code qp_num}} */
  public int queuePairNumber() {
    requireFilled();
    return queuePairNumber;
  }

  /** {@return the {@code vendor_err}: on an error a stable number of the provider, 0 on success} */
  public int vendorError() {
    requireFilled();
    return vendorError;
  }

  /**
   * {@return the error in words: the check that failed, for a flush the first cause; empty on
   * success}
   */
  public String detail() {
    requireFilled();
    return detail;
  }

  /**
   * Returns what completed.
   *
   * @return the opcode
   * @throws IllegalStateException on an error completion
   */
  public CompletionOpcode opcode() {
    return requireOpcode("opcode");
  }

  /**
   * Returns how many bytes a receive, READ or atomic brought.
   *
   * @return the {@code byte_len}, an unsigned 32-bit number: the length of the message; for
   *     RECV_RDMA_WITH_IMM the bytes that the WRITE wrote
   * @throws IllegalStateException on an error completion, and for operations that bring no bytes
   */
  public int byteLength() {
    CompletionOpcode completed = requireOpcode("byteLength");
    if (!hasByteLength(completed) && !hasLeftOvers) {
      throw new IllegalStateException(
          "byteLength is undefined for "
              + completed
              + " of request "
              + id
              + "; it counts the bytes that a receive, READ or atomic brought");
    }
    return byteLength;
  }

  /**
   * Returns the flags.
   *
   * @return the {@code wc_flags}: the OR of {@link CompletionFlag} values
   * @throws IllegalStateException on an error completion
   */
  public int flags() {
    requireOpcode("flags");
    return flags;
  }

  /**
   * Tells whether the peer sent an immediate.
   *
   * @return true if {@link #immediate()} is valid
   * @throws IllegalStateException on an error completion
   */
  public boolean withImmediate() {
    requireOpcode("withImmediate");
    return hasFlag(CompletionFlag.WITH_IMM);
  }

  /**
   * Returns the immediate of the peer.
   *
   * @return the {@code imm_data}: the number that the peer gave, whatever its byte order
   * @throws IllegalStateException on an error completion, or if there is no immediate
   */
  public int immediate() {
    requireOpcode("immediate");
    requireFlag(CompletionFlag.WITH_IMM, "immediate", "withImmediate");
    return immediateOrRkey;
  }

  /**
   * Tells whether the adapter invalidated a key because the peer asked for it. A program that waits
   * for this must also compare {@link #invalidatedRkey()}, and invalidate the key itself if the
   * peer sent a plain SEND.
   *
   * @return true if {@link #invalidatedRkey()} is valid
   * @throws IllegalStateException on an error completion
   */
  public boolean withInvalidate() {
    requireOpcode("withInvalidate");
    return hasFlag(CompletionFlag.WITH_INV);
  }

  /**
   * Returns the key that was invalidated.
   *
   * @return the {@code invalidated_rkey}: a key of this side
   * @throws IllegalStateException on an error completion, or if nothing was invalidated
   */
  public int invalidatedRkey() {
    requireOpcode("invalidatedRkey");
    requireFlag(CompletionFlag.WITH_INV, "invalidatedRkey", "withInvalidate");
    return immediateOrRkey;
  }

  /**
   * Tells whether the first 40 bytes of the receive hold a global route header, as those of every
   * datagram do.
   *
   * @return true if {@link #sourceQueuePairNumber()} is valid
   * @throws IllegalStateException on an error completion
   */
  public boolean withGlobalRouteHeader() {
    requireOpcode("withGlobalRouteHeader");
    return hasFlag(CompletionFlag.GRH);
  }

  /**
   * Returns the queue pair that sent a datagram.
   *
   * @return the {@code src_qp}, 24 bits
   * @throws IllegalStateException on an error completion, or if it is not that of a datagram
   */
  public int sourceQueuePairNumber() {
    requireOpcode("sourceQueuePairNumber");
    requireFlag(CompletionFlag.GRH, "sourceQueuePairNumber", "withGlobalRouteHeader");
    return sourceQueuePairNumber;
  }

  /**
   * Returns the address of the port that sent a datagram.
   *
   * @return the {@code slid}, 16 bits; 0 on RoCE, where ports have no local identifiers
   * @throws IllegalStateException on an error completion, or if it is not that of a datagram
   */
  public int sourceLocalIdentifier() {
    requireOpcode("sourceLocalIdentifier");
    requireFlag(CompletionFlag.GRH, "sourceLocalIdentifier", "withGlobalRouteHeader");
    return sourceLocalIdentifier;
  }

  /**
   * Returns the service level of a datagram.
   *
   * @return the {@code sl}, 0 to 15; 0 on RoCE without a VLAN tag
   * @throws IllegalStateException on an error completion, or if it is not that of a datagram
   */
  public int serviceLevel() {
    requireOpcode("serviceLevel");
    requireFlag(CompletionFlag.GRH, "serviceLevel", "withGlobalRouteHeader");
    return serviceLevel;
  }

  /**
   * Returns which of the local identifiers of this port a datagram was sent to.
   *
   * @return the {@code dlid_path_bits}, 7 bits; 0 on RoCE
   * @throws IllegalStateException on an error completion, or if it is not that of a datagram
   */
  public int localIdentifierPathBits() {
    requireOpcode("localIdentifierPathBits");
    requireFlag(CompletionFlag.GRH, "localIdentifierPathBits", "withGlobalRouteHeader");
    return localIdentifierPathBits;
  }

  /**
   * Returns under which partition key a management datagram came.
   *
   * @return the {@code pkey_index}: its place in the port's table
   * @throws IllegalStateException on an error completion, and for queue pairs other than that of
   *     the general services (GSI), which have one partition key each
   */
  public int partitionKeyIndex() {
    requireOpcode("partitionKeyIndex");
    if (partitionKeyIndex == NO_PARTITION_KEY) {
      if (hasLeftOvers) {
        return 0;
      }
      throw new IllegalStateException(
          "partitionKeyIndex is undefined, because request "
              + id
              + " is no receive of the general services queue pair");
    }
    return partitionKeyIndex;
  }

  /**
   * Throws unless the request succeeded.
   *
   * @return this completion
   * @throws CompletionException on an error completion
   */
  public WorkCompletion requireSuccess() {
    if (!isSuccess()) {
      throw new CompletionException(this);
    }
    return this;
  }

  /** {@return an independent copy, which later polls leave alone} */
  public WorkCompletion copy() {
    WorkCompletion copy = new WorkCompletion();
    copy.copyFrom(this);
    return copy;
  }

  /**
   * Fills this entry with a success; for providers.
   *
   * @param id the {@code wr_id} of the request
   * @param queuePairNumber number of the local queue pair
   * @param opcode what completed
   * @param byteLength bytes that a receive, READ or atomic brought; ignored for other operations
   */
  public void setSuccess(long id, int queuePairNumber, CompletionOpcode opcode, int byteLength) {
    clear();
    this.id = id;
    fill(CompletionStatus.SUCCESS, NO_DETAIL);
    this.queuePairNumber = queuePairNumber;
    completed(opcode);
    this.byteLength = byteLength;
  }

  /**
   * Adds the immediate of the peer to a successful receive; for providers.
   *
   * @param immediate the 32 bits, read big-endian
   * @throws IllegalStateException if this is no successful receive, or one with an invalidated key
   */
  public void setImmediate(int immediate) {
    addToReceive(CompletionFlag.WITH_IMM, immediate);
  }

  /**
   * Adds the invalidated key to a successful receive; for providers.
   *
   * @param rkey the key that the adapter took out of use
   * @throws IllegalStateException if this is no successful receive, or one with an immediate
   */
  public void setInvalidatedRkey(int rkey) {
    addToReceive(CompletionFlag.WITH_INV, rkey);
  }

  private void addToReceive(CompletionFlag flag, int value) {
    if (!hasOpcode || hasLeftOvers || !opcode.isReceive() || flags != 0) {
      throw new IllegalStateException(
          flag + " belongs to a successful receive without other flags, not to " + this);
    }
    flags = flag.value();
    immediateOrRkey = value;
  }

  /**
   * Adds to a successful receive what a datagram brought besides its bytes; for providers.
   *
   * @param number number of the queue pair that sent it, 24 bits
   * @throws IllegalStateException if this is no successful receive
   */
  public void setDatagram(int number) {
    if (!hasOpcode || hasLeftOvers || !opcode.isReceive()) {
      throw new IllegalStateException("a datagram comes with a successful receive, not " + this);
    }
    flags |= CompletionFlag.GRH.value();
    sourceQueuePairNumber = number;
  }

  /**
   * Adds to a datagram what its local route header says; for providers of InfiniBand. Without this
   * all three are 0.
   *
   * @param lid the local identifier of the sender, 16 bits
   * @param level the service level, 0 to 15
   * @param pathBits the low bits of the local identifier that it was sent to
   * @throws IllegalStateException if this is not the receive of a datagram
   */
  public void setLocalRoute(int lid, int level, int pathBits) {
    requireDatagram("a local route");
    sourceLocalIdentifier = lid;
    serviceLevel = level;
    localIdentifierPathBits = pathBits;
  }

  /**
   * Adds to a management datagram its partition key; for providers that show that queue pair.
   *
   * @param index place in the port's table, 0 or more
   * @throws IllegalStateException if this is not the receive of a datagram
   */
  public void setPartitionKeyIndex(int index) {
    requireDatagram("a partition key index");
    partitionKeyIndex = index;
  }

  private void requireDatagram(String what) {
    if (!hasOpcode || hasLeftOvers || !hasFlag(CompletionFlag.GRH)) {
      throw new IllegalStateException(what + " belongs to a received datagram, not to " + this);
    }
  }

  /**
   * Gives a filled entry another id and leaves all else; for providers.
   *
   * @param value the {@code wr_id}
   */
  public void setId(long value) {
    requireFilled();
    id = value;
  }

  /**
   * Gives a success another length and leaves all else; for providers.
   *
   * @param bytes as for {@link #setSuccess}
   */
  public void setByteLength(int bytes) {
    requireOpcode("byteLength");
    byteLength = bytes;
  }

  /**
   * Fills this entry with an error; for providers.
   *
   * @param id the {@code wr_id} of the request
   * @param queuePairNumber number of the local queue pair
   * @param status the error, not SUCCESS
   * @param vendorError a stable number of the provider for the check that failed
   * @param detail the check that failed, for a flush the first cause; in words, not empty
   * @throws IllegalArgumentException if the status is SUCCESS
   */
  public void setFailure(
      long id, int queuePairNumber, CompletionStatus status, int vendorError, String detail) {
    if (status == CompletionStatus.SUCCESS) {
      throw new IllegalArgumentException("SUCCESS is no failure; use setSuccess");
    }
    clear();
    this.id = id;
    fill(status, detail);
    this.queuePairNumber = queuePairNumber;
    this.vendorError = vendorError;
  }

  /** Entries are old objects: a reference is written only if it is another one, for the barrier. */
  @SuppressWarnings("ReferenceEquality") // an equal string that is another one may well be written
  private void fill(CompletionStatus outcome, String words) {
    isFilled = true;
    if (status != outcome) {
      status = outcome;
    }
    if (detail != words) {
      detail = words;
    }
  }

  private void completed(CompletionOpcode operation) {
    hasOpcode = true;
    if (opcode != operation) {
      opcode = operation;
    }
  }

  /**
   * Lets the undefined fields of an error be read, as those of an adapter that leaves them as they
   * were; for providers.
   *
   * @param source what was in this place before, from which opcode, byte length, flags and
   *     immediate are taken; blank for an adapter that leaves zeros, of which an opcode is SEND
   * @throws IllegalStateException if this is no error
   */
  public void setLeftOvers(WorkCompletion source) {
    if (isSuccess()) {
      throw new IllegalStateException("a success has no undefined fields: " + this);
    }
    completed(source.hasOpcode ? source.opcode : CompletionOpcode.SEND);
    byteLength = source.byteLength;
    flags = source.flags;
    immediateOrRkey = source.immediateOrRkey;
    sourceQueuePairNumber = source.sourceQueuePairNumber;
    copyLocalRoute(source);
    hasLeftOvers = true;
  }

  /**
   * Takes over all fields of another completion; for providers.
   *
   * @param source the completion to copy; it stays as it is
   */
  public void copyFrom(WorkCompletion source) {
    id = source.id;
    fill(source.status, source.detail);
    isFilled = source.isFilled;
    queuePairNumber = source.queuePairNumber;
    vendorError = source.vendorError;
    completed(source.opcode);
    hasOpcode = source.hasOpcode;
    byteLength = source.byteLength;
    flags = source.flags;
    immediateOrRkey = source.immediateOrRkey;
    sourceQueuePairNumber = source.sourceQueuePairNumber;
    copyLocalRoute(source);
    hasLeftOvers = source.hasLeftOvers;
  }

  private void copyLocalRoute(WorkCompletion source) {
    sourceLocalIdentifier = source.sourceLocalIdentifier;
    serviceLevel = source.serviceLevel;
    localIdentifierPathBits = source.localIdentifierPathBits;
    partitionKeyIndex = source.partitionKeyIndex;
  }

  /** Makes this entry blank, so that a provider that forgets to fill it is found out. */
  void clear() {
    id = 0;
    isFilled = false;
    queuePairNumber = 0;
    vendorError = 0;
    hasOpcode = false;
    byteLength = 0;
    flags = 0;
    immediateOrRkey = 0;
    sourceQueuePairNumber = 0;
    sourceLocalIdentifier = 0;
    serviceLevel = 0;
    localIdentifierPathBits = 0;
    partitionKeyIndex = NO_PARTITION_KEY;
    hasLeftOvers = false;
  }

  private CompletionStatus requireFilled() {
    if (!isFilled) {
      throw new IllegalStateException("blank completion: no poll has filled this entry");
    }
    return status;
  }

  private CompletionOpcode requireOpcode(String field) {
    CompletionStatus filled = requireFilled();
    if (!hasOpcode) {
      throw new IllegalStateException(
          field
              + " is undefined, because request "
              + id
              + " completed with "
              + filled
              + "; valid are id, status, queuePairNumber, vendorError and detail");
    }
    return opcode;
  }

  private void requireFlag(CompletionFlag flag, String field, String test) {
    if (!hasFlag(flag) && !hasLeftOvers) {
      throw new IllegalStateException(
          field
              + " is undefined, because the completion of request "
              + id
              + " lacks the flag "
              + flag
              + "; ask "
              + test
              + "() first");
    }
  }

  private boolean hasFlag(CompletionFlag flag) {
    return (flags & flag.value()) != 0;
  }

  private static boolean hasByteLength(CompletionOpcode opcode) {
    return switch (opcode) {
      case RDMA_READ, COMP_SWAP, FETCH_ADD, MASKED_COMP_SWAP, MASKED_FETCH_ADD -> true;
      case RECV, RECV_RDMA_WITH_IMM, TM_RECV, TM_NO_TAG -> true;
      case SEND, RDMA_WRITE, BIND_MW, LOCAL_INV, TSO, FLUSH, ATOMIC_WRITE, REG_MR -> false;
      case TM_ADD, TM_DEL, TM_SYNC, DRIVER1, DRIVER2, DRIVER3 -> false;
    };
  }

  /** Returns the valid fields as text, the status with its text from ibv_wc_status_str(3). */
  @Override
  public String toString() {
    if (!isFilled) {
      return "WorkCompletion[blank]";
    }
    StringBuilder text = new StringBuilder("WorkCompletion[id=").append(id);
    text.append(", queuePairNumber=").append(queuePairNumber).append(", ");
    CompletionOpcode completed = hasLeftOvers || !hasOpcode ? null : opcode;
    return (completed == null ? appendError(text, status) : appendSuccess(text, completed))
        .append("]")
        .toString();
  }

  private StringBuilder appendError(StringBuilder text, CompletionStatus error) {
    text.append(error).append("(").append(error.value()).append(") ").append(error.text());
    text.append(", vendorError=").append(vendorError);
    return text.append(detail.isEmpty() ? "" : ": ").append(detail);
  }

  private StringBuilder appendSuccess(StringBuilder text, CompletionOpcode completed) {
    text.append("SUCCESS ").append(completed);
    if (hasByteLength(completed)) {
      text.append(", byteLength=").append(Integer.toUnsignedString(byteLength));
    }
    if (hasFlag(CompletionFlag.WITH_IMM)) {
      text.append(", immediate=0x").append(Integer.toHexString(immediateOrRkey));
    }
    if (hasFlag(CompletionFlag.WITH_INV)) {
      text.append(", invalidatedRkey=0x").append(Integer.toHexString(immediateOrRkey));
    }
    if (hasFlag(CompletionFlag.GRH)) {
      text.append(", sourceQueuePairNumber=").append(sourceQueuePairNumber);
    }
    return text;
  }
}
