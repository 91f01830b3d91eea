package io.roceverbs.sim.wire;

import static io.roceverbs.sim.wire.ExtendedHeader.AETH;
import static io.roceverbs.sim.wire.ExtendedHeader.ATOMIC_ACK_ETH;
import static io.roceverbs.sim.wire.ExtendedHeader.ATOMIC_ETH;
import static io.roceverbs.sim.wire.ExtendedHeader.DETH;
import static io.roceverbs.sim.wire.ExtendedHeader.FETH;
import static io.roceverbs.sim.wire.ExtendedHeader.IETH;
import static io.roceverbs.sim.wire.ExtendedHeader.IMMEDIATE;
import static io.roceverbs.sim.wire.ExtendedHeader.RETH;
import static io.roceverbs.sim.wire.ExtendedHeader.XRCETH;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The opcodes of the base transport header (BTH) that this library knows, and what each of them
 * implies for the rest of the packet.
 *
 * <p>The upper three bits of a value select the {@link TransportClass}, the lower five the
 * operation. Values and header order are those of the InfiniBand architecture specification, volume
 * 1, chapter 9; FLUSH and ATOMIC WRITE come from its annex A19, CNP from annex A17 (RoCEv2).
 *
 * <p>C counterpart: {@code IB_OPCODE_RC_SEND_FIRST} and so on in {@code include/rdma/ib_pack.h} of
 * the Linux kernel, with the table of {@code rxe_opcode.c} in its rdma_rxe.
 */
public enum Opcode {
  /** RC SEND, first packet of several. */
  RC_SEND_FIRST(0x00, Kind.SEND, Position.FIRST),
  /** RC SEND, neither first nor last. */
  RC_SEND_MIDDLE(0x01, Kind.SEND, Position.MIDDLE),
  /** RC SEND, last packet of several. */
  RC_SEND_LAST(0x02, Kind.SEND, Position.LAST),
  /** RC SEND, last packet of several, with immediate data. */
  RC_SEND_LAST_WITH_IMMEDIATE(0x03, Kind.SEND, Position.LAST, IMMEDIATE),
  /** RC SEND in one packet. */
  RC_SEND_ONLY(0x04, Kind.SEND, Position.ONLY),
  /** RC SEND in one packet, with immediate data. */
  RC_SEND_ONLY_WITH_IMMEDIATE(0x05, Kind.SEND, Position.ONLY, IMMEDIATE),
  /** RC RDMA WRITE, first packet of several. */
  RC_WRITE_FIRST(0x06, Kind.WRITE, Position.FIRST, RETH),
  /** RC RDMA WRITE, neither first nor last. */
  RC_WRITE_MIDDLE(0x07, Kind.WRITE, Position.MIDDLE),
  /** RC RDMA WRITE, last packet of several. */
  RC_WRITE_LAST(0x08, Kind.WRITE, Position.LAST),
  /** RC RDMA WRITE, last packet of several, with immediate data. */
  RC_WRITE_LAST_WITH_IMMEDIATE(0x09, Kind.WRITE, Position.LAST, IMMEDIATE),
  /** RC RDMA WRITE in one packet. */
  RC_WRITE_ONLY(0x0A, Kind.WRITE, Position.ONLY, RETH),
  /** RC RDMA WRITE in one packet, with immediate data. */
  RC_WRITE_ONLY_WITH_IMMEDIATE(0x0B, Kind.WRITE, Position.ONLY, RETH, IMMEDIATE),
  /** RC RDMA READ request. */
  RC_READ_REQUEST(0x0C, Kind.READ_REQUEST, Position.ONLY, RETH),
  /** RC RDMA READ response, first packet of several. */
  RC_READ_RESPONSE_FIRST(0x0D, Kind.READ_RESPONSE, Position.FIRST, AETH),
  /** RC RDMA READ response, neither first nor last: the only response without an AETH. */
  RC_READ_RESPONSE_MIDDLE(0x0E, Kind.READ_RESPONSE, Position.MIDDLE),
  /** RC RDMA READ response, last packet of several. */
  RC_READ_RESPONSE_LAST(0x0F, Kind.READ_RESPONSE, Position.LAST, AETH),
  /** RC RDMA READ response in one packet. */
  RC_READ_RESPONSE_ONLY(0x10, Kind.READ_RESPONSE, Position.ONLY, AETH),
  /** RC ACK, RNR NAK or NAK; the {@link Syndrome} tells which. */
  RC_ACKNOWLEDGE(0x11, Kind.ACKNOWLEDGE, Position.ONLY, AETH),
  /** RC answer to an atomic request. */
  RC_ATOMIC_ACKNOWLEDGE(0x12, Kind.ATOMIC_ACKNOWLEDGE, Position.ONLY, AETH, ATOMIC_ACK_ETH),
  /** RC atomic compare and swap. */
  RC_COMPARE_SWAP(0x13, Kind.ATOMIC_REQUEST, Position.ONLY, ATOMIC_ETH),
  /** RC atomic fetch and add. */
  RC_FETCH_ADD(0x14, Kind.ATOMIC_REQUEST, Position.ONLY, ATOMIC_ETH),
  /**
   * Any value of the RC class that has no meaning: 0x15, 0x18 to 0x1B, 0x1E and 0x1F. {@link
   * #value()} is 0x1F; {@link Packet#opcodeValue()} has the value on the wire.
   */
  RC_RESERVED(0x1F, Kind.RESERVED, Position.NONE),
  /** RC SEND, last packet of several, invalidating an R_Key at the receiver. */
  RC_SEND_LAST_WITH_INVALIDATE(0x16, Kind.SEND, Position.LAST, IETH),
  /** RC SEND in one packet, invalidating an R_Key at the receiver. */
  RC_SEND_ONLY_WITH_INVALIDATE(0x17, Kind.SEND, Position.ONLY, IETH),
  /** RC FLUSH of earlier writes to their placement domain. */
  RC_FLUSH(0x1C, Kind.FLUSH, Position.ONLY, FETH, RETH),
  /** RC ATOMIC WRITE of 8 bytes. */
  RC_ATOMIC_WRITE(0x1D, Kind.ATOMIC_WRITE, Position.ONLY, RETH),

  /** UC SEND, first packet of several. */
  UC_SEND_FIRST(0x20, Kind.SEND, Position.FIRST),
  /** UC SEND, neither first nor last. */
  UC_SEND_MIDDLE(0x21, Kind.SEND, Position.MIDDLE),
  /** UC SEND, last packet of several. */
  UC_SEND_LAST(0x22, Kind.SEND, Position.LAST),
  /** UC SEND, last packet of several, with immediate data. */
  UC_SEND_LAST_WITH_IMMEDIATE(0x23, Kind.SEND, Position.LAST, IMMEDIATE),
  /** UC SEND in one packet. */
  UC_SEND_ONLY(0x24, Kind.SEND, Position.ONLY),
  /** UC SEND in one packet, with immediate data. */
  UC_SEND_ONLY_WITH_IMMEDIATE(0x25, Kind.SEND, Position.ONLY, IMMEDIATE),
  /** UC RDMA WRITE, first packet of several. */
  UC_WRITE_FIRST(0x26, Kind.WRITE, Position.FIRST, RETH),
  /** UC RDMA WRITE, neither first nor last. */
  UC_WRITE_MIDDLE(0x27, Kind.WRITE, Position.MIDDLE),
  /** UC RDMA WRITE, last packet of several. */
  UC_WRITE_LAST(0x28, Kind.WRITE, Position.LAST),
  /** UC RDMA WRITE, last packet of several, with immediate data. */
  UC_WRITE_LAST_WITH_IMMEDIATE(0x29, Kind.WRITE, Position.LAST, IMMEDIATE),
  /** UC RDMA WRITE in one packet. */
  UC_WRITE_ONLY(0x2A, Kind.WRITE, Position.ONLY, RETH),
  /** UC RDMA WRITE in one packet, with immediate data. */
  UC_WRITE_ONLY_WITH_IMMEDIATE(0x2B, Kind.WRITE, Position.ONLY, RETH, IMMEDIATE),

  /** UD SEND. */
  UD_SEND_ONLY(0x64, Kind.SEND, Position.ONLY, DETH),
  /** UD SEND with immediate data. */
  UD_SEND_ONLY_WITH_IMMEDIATE(0x65, Kind.SEND, Position.ONLY, DETH, IMMEDIATE),

  /** XRC SEND, first packet of several. */
  XRC_SEND_FIRST(0xA0, Kind.SEND, Position.FIRST, XRCETH),
  /** XRC SEND, neither first nor last. */
  XRC_SEND_MIDDLE(0xA1, Kind.SEND, Position.MIDDLE, XRCETH),
  /** XRC SEND, last packet of several. */
  XRC_SEND_LAST(0xA2, Kind.SEND, Position.LAST, XRCETH),
  /** XRC SEND, last packet of several, with immediate data. */
  XRC_SEND_LAST_WITH_IMMEDIATE(0xA3, Kind.SEND, Position.LAST, XRCETH, IMMEDIATE),
  /** XRC SEND in one packet. */
  XRC_SEND_ONLY(0xA4, Kind.SEND, Position.ONLY, XRCETH),
  /** XRC SEND in one packet, with immediate data. */
  XRC_SEND_ONLY_WITH_IMMEDIATE(0xA5, Kind.SEND, Position.ONLY, XRCETH, IMMEDIATE),
  /** XRC RDMA WRITE, first packet of several. */
  XRC_WRITE_FIRST(0xA6, Kind.WRITE, Position.FIRST, XRCETH, RETH),
  /** XRC RDMA WRITE, neither first nor last. */
  XRC_WRITE_MIDDLE(0xA7, Kind.WRITE, Position.MIDDLE, XRCETH),
  /** XRC RDMA WRITE, last packet of several. */
  XRC_WRITE_LAST(0xA8, Kind.WRITE, Position.LAST, XRCETH),
  /** XRC RDMA WRITE, last packet of several, with immediate data. */
  XRC_WRITE_LAST_WITH_IMMEDIATE(0xA9, Kind.WRITE, Position.LAST, XRCETH, IMMEDIATE),
  /** XRC RDMA WRITE in one packet. */
  XRC_WRITE_ONLY(0xAA, Kind.WRITE, Position.ONLY, XRCETH, RETH),
  /** XRC RDMA WRITE in one packet, with immediate data. */
  XRC_WRITE_ONLY_WITH_IMMEDIATE(0xAB, Kind.WRITE, Position.ONLY, XRCETH, RETH, IMMEDIATE),
  /** XRC RDMA READ request. */
  XRC_READ_REQUEST(0xAC, Kind.READ_REQUEST, Position.ONLY, XRCETH, RETH),
  /** XRC RDMA READ response, first packet of several. */
  XRC_READ_RESPONSE_FIRST(0xAD, Kind.READ_RESPONSE, Position.FIRST, AETH),
  /** XRC RDMA READ response, neither first nor last: the only response without an AETH. */
  XRC_READ_RESPONSE_MIDDLE(0xAE, Kind.READ_RESPONSE, Position.MIDDLE),
  /** XRC RDMA READ response, last packet of several. */
  XRC_READ_RESPONSE_LAST(0xAF, Kind.READ_RESPONSE, Position.LAST, AETH),
  /** XRC RDMA READ response in one packet. */
  XRC_READ_RESPONSE_ONLY(0xB0, Kind.READ_RESPONSE, Position.ONLY, AETH),
  /** XRC ACK, RNR NAK or NAK; the {@link Syndrome} tells which. */
  XRC_ACKNOWLEDGE(0xB1, Kind.ACKNOWLEDGE, Position.ONLY, AETH),
  /** XRC answer to an atomic request. */
  XRC_ATOMIC_ACKNOWLEDGE(0xB2, Kind.ATOMIC_ACKNOWLEDGE, Position.ONLY, AETH, ATOMIC_ACK_ETH),
  /** XRC atomic compare and swap. */
  XRC_COMPARE_SWAP(0xB3, Kind.ATOMIC_REQUEST, Position.ONLY, XRCETH, ATOMIC_ETH),
  /** XRC atomic fetch and add. */
  XRC_FETCH_ADD(0xB4, Kind.ATOMIC_REQUEST, Position.ONLY, XRCETH, ATOMIC_ETH),
  /** XRC SEND, last packet of several, invalidating an R_Key at the receiver. */
  XRC_SEND_LAST_WITH_INVALIDATE(0xB6, Kind.SEND, Position.LAST, XRCETH, IETH),
  /** XRC SEND in one packet, invalidating an R_Key at the receiver. */
  XRC_SEND_ONLY_WITH_INVALIDATE(0xB7, Kind.SEND, Position.ONLY, XRCETH, IETH),

  /** Congestion notification packet: a BTH and {@value Opcode#CNP_PAYLOAD_BYTES} reserved bytes. */
  CNP(0x81, Kind.NOTIFICATION, Position.NONE);

  /** The number of reserved bytes in a CNP; {@link Packet} holds them as its payload. */
  public static final int CNP_PAYLOAD_BYTES = 16;

  private static final int VALUES = 256;
  private static final int CLASS_MASK = 0xE0;
  private static final int OPERATION_MASK = 0x1F;
  private static final int COMPARE_SWAP_OPERATION = 0x13;
  private static final @Nullable Opcode[] BY_VALUE = byValue();

  private final int value;
  private final TransportClass transportClass;
  private final boolean isRequest;
  private final boolean isResponse;
  private final boolean isSend;
  private final boolean isWrite;
  private final boolean isReadResponse;
  private final boolean isAtomicRequest;
  private final boolean startsMessage;
  private final boolean endsMessage;
  private final boolean isReadRequest;
  private final boolean isAcknowledge;
  private final boolean isAtomicResponse;
  private final boolean isCompareSwap;
  private final boolean hasXrceth;
  private final boolean hasReth;
  private final boolean hasAeth;
  private final boolean hasAtomicEth;
  private final boolean hasAtomicAckEth;
  private final boolean hasImmediate;
  private final boolean hasInvalidate;
  private final boolean hasDeth;
  private final boolean hasFeth;
  private final boolean carriesPayload;
  private final int extendedHeaderBytes;

  Opcode(int value, Kind kind, Position position, ExtendedHeader... headers) {
    Set<ExtendedHeader> present = EnumSet.noneOf(ExtendedHeader.class);
    present.addAll(Arrays.asList(headers));
    this.value = value;
    transportClass = transportClassOf(value);
    isRequest = kind.isRequest;
    isResponse = kind.isResponse;
    isSend = kind == Kind.SEND;
    isWrite = kind == Kind.WRITE;
    isReadResponse = kind == Kind.READ_RESPONSE;
    isAtomicRequest = kind == Kind.ATOMIC_REQUEST;
    startsMessage = position == Position.FIRST || position == Position.ONLY;
    endsMessage = position == Position.LAST || position == Position.ONLY;
    isReadRequest = kind == Kind.READ_REQUEST;
    isAcknowledge = kind == Kind.ACKNOWLEDGE;
    isAtomicResponse = kind == Kind.ATOMIC_ACKNOWLEDGE;
    isCompareSwap = isAtomicRequest && (value & OPERATION_MASK) == COMPARE_SWAP_OPERATION;
    hasXrceth = present.contains(XRCETH);
    hasReth = present.contains(RETH);
    hasAeth = present.contains(AETH);
    hasAtomicEth = present.contains(ATOMIC_ETH);
    hasAtomicAckEth = present.contains(ATOMIC_ACK_ETH);
    hasImmediate = present.contains(IMMEDIATE);
    hasInvalidate = present.contains(IETH);
    hasDeth = present.contains(DETH);
    hasFeth = present.contains(FETH);
    carriesPayload = kind.carriesPayload;
    extendedHeaderBytes = present.stream().mapToInt(ExtendedHeader::bytes).sum();
  }

  /**
   * Finds the opcode of a BTH.
   *
   * @param value the first byte of the BTH, 0 to 255
   * @return the opcode; {@link #RC_RESERVED} for a value of the RC class without a meaning; null
   *     for every other value without one and for transport classes that are not known (RD, vendor)
   */
  public static @Nullable Opcode of(int value) {
    return BY_VALUE[value & (VALUES - 1)];
  }

  /**
   * The same operation of another transport.
   *
   * @param other the transport
   * @return the opcode with the same lower five bits
   * @throws IllegalArgumentException if the transport does not have the operation
   */
  public Opcode in(TransportClass other) {
    if (other == transportClass) {
      return this;
    }
    Opcode same = BY_VALUE[other.base() | (value & ~CLASS_MASK)];
    if (same == null) {
      throw new IllegalArgumentException(this + " does not exist in transport " + other);
    }
    return same;
  }

  /** {@return the first byte of the BTH} */
  public int value() {
    return value;
  }

  /** {@return the transport service that this opcode belongs to} */
  public TransportClass transportClass() {
    return transportClass;
  }

  /**
   * {@return whether the packet goes from requester to responder} True for {@link #RC_RESERVED}.
   */
  public boolean isRequest() {
    return isRequest;
  }

  /**
   * {@return whether the packet goes from responder to requester: an ACK, or a READ or atomic
   * response}
   */
  public boolean isResponse() {
    return isResponse;
  }

  /** {@return whether this is a packet of a SEND, of any transport} */
  public boolean isSend() {
    return isSend;
  }

  /** {@return whether this is a packet of an RDMA WRITE} False for {@link #RC_ATOMIC_WRITE}. */
  public boolean isWrite() {
    return isWrite;
  }

  /** {@return whether this is a packet of an RDMA READ response} */
  public boolean isReadResponse() {
    return isReadResponse;
  }

  /** {@return whether this is an RDMA READ request} */
  public boolean isReadRequest() {
    return isReadRequest;
  }

  /** {@return whether this is an ACK, RNR NAK or NAK} */
  public boolean isAcknowledge() {
    return isAcknowledge;
  }

  /** {@return whether this is the answer to an atomic request} */
  public boolean isAtomicResponse() {
    return isAtomicResponse;
  }

  /** {@return whether this is an atomic compare and swap request} */
  public boolean isCompareSwap() {
    return isCompareSwap;
  }

  /** {@return whether an extended transport header for XRC is present} */
  public boolean hasXrceth() {
    return hasXrceth;
  }

  /** {@return whether this is a compare and swap or a fetch and add request} */
  public boolean isAtomicRequest() {
    return isAtomicRequest;
  }

  /** {@return whether this is the FIRST or ONLY packet of its message} */
  public boolean startsMessage() {
    return startsMessage;
  }

  /** {@return whether this is the LAST or ONLY packet of its message} */
  public boolean endsMessage() {
    return endsMessage;
  }

  /** {@return whether an RDMA extended transport header is present} */
  public boolean hasReth() {
    return hasReth;
  }

  /** {@return whether an ACK extended transport header is present} */
  public boolean hasAeth() {
    return hasAeth;
  }

  /** {@return whether an atomic extended transport header is present} */
  public boolean hasAtomicEth() {
    return hasAtomicEth;
  }

  /** {@return whether an atomic ACK extended transport header is present} */
  public boolean hasAtomicAckEth() {
    return hasAtomicAckEth;
  }

  /** {@return whether immediate data is present} */
  public boolean hasImmediate() {
    return hasImmediate;
  }

  /** {@return whether an invalidate extended transport header is present} */
  public boolean hasInvalidate() {
    return hasInvalidate;
  }

  /** {@return whether a datagram extended transport header is present} */
  public boolean hasDeth() {
    return hasDeth;
  }

  /** {@return whether a flush extended transport header is present} */
  public boolean hasFeth() {
    return hasFeth;
  }

  /** {@return whether bytes may follow the headers} */
  public boolean carriesPayload() {
    return carriesPayload;
  }

  /** {@return the length of all headers between the BTH and the payload, in bytes} */
  public int extendedHeaderBytes() {
    return extendedHeaderBytes;
  }

  private static TransportClass transportClassOf(int value) {
    for (TransportClass transport : TransportClass.values()) {
      if (transport.base() == (value & CLASS_MASK)) {
        return transport;
      }
    }
    throw new AssertionError("no transport class for opcode " + value);
  }

  private static @Nullable Opcode[] byValue() {
    @Nullable Opcode[] table = new @Nullable Opcode[VALUES];
    Arrays.fill(table, TransportClass.RC.base(), TransportClass.UC.base(), RC_RESERVED);
    for (Opcode opcode : values()) {
      table[opcode.value] = opcode;
    }
    return table;
  }

  /** What a packet is for; decides its direction and whether it may carry payload. */
  private enum Kind {
    SEND(true, false, true),
    WRITE(true, false, true),
    READ_REQUEST(true, false, false),
    READ_RESPONSE(false, true, true),
    ACKNOWLEDGE(false, true, false),
    ATOMIC_ACKNOWLEDGE(false, true, false),
    ATOMIC_REQUEST(true, false, false),
    FLUSH(true, false, false),
    ATOMIC_WRITE(true, false, true),
    RESERVED(true, false, true),
    NOTIFICATION(false, false, true);

    private final boolean isRequest;
    private final boolean isResponse;
    private final boolean carriesPayload;

    Kind(boolean isRequest, boolean isResponse, boolean carriesPayload) {
      this.isRequest = isRequest;
      this.isResponse = isResponse;
      this.carriesPayload = carriesPayload;
    }
  }

  /** Where in its message a packet stands. */
  private enum Position {
    FIRST,
    MIDDLE,
    LAST,
    ONLY,
    NONE
  }
}
