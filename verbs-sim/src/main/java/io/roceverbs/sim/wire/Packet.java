package io.roceverbs.sim.wire;

import java.util.Locale;
import java.util.Objects;

/**
 * The fields of one RoCEv2 packet, from the Ethernet header to the payload.
 *
 * <p>The object is made to be reused: {@link #clear()} it, set the fields that the opcode needs,
 * and give it to {@link PacketCodec#encode}; or let {@link PacketCodec#decode} fill it. A setter
 * returns what it was called on, and keeps only as many low bits as the field has on the wire.
 *
 * <p>The fields of the base transport header (BTH), which every packet has, are the packet's own.
 * Each other header has an object of its own, which is always there; one of a single field is just
 * that field. Headers that the opcode does not have are ignored when encoding, and are zero after
 * decoding.
 *
 * <p>Nothing that travels is left out, reserved bits included: what was decoded can be encoded
 * again to the same bytes. Lengths, the IP header checksum, the pad count and the ICRC follow from
 * the other fields and cannot be set.
 *
 * <p>Not for use by several threads at once. Field names are those of the InfiniBand architecture
 * specification, volume 1, chapter 9, and of annex A17 (RoCEv2). C counterpart: {@code struct
 * rxe_pkt_info} of the Linux kernel's rdma_rxe, with the headers of its {@code rxe_hdr.h}.
 */
public final class Packet {
  /** The UDP destination port of RoCEv2. */
  public static final int UDP_PORT = 4_791;

  /** The P_Key of the default partition, with full membership. */
  public static final int DEFAULT_PARTITION_KEY = 0xFFFF;

  /** The hop limit after {@link #clear()}. */
  public static final int DEFAULT_HOP_LIMIT = 64;

  private static final byte[] NO_PAYLOAD = new byte[0];

  private final NetworkHeaders network = new NetworkHeaders();

  private boolean solicited;
  private boolean migrated;
  private int transportVersion;
  private int partitionKey;
  private boolean fecn;
  private boolean becn;
  private int reserved6;
  private int destinationQueuePair;
  private boolean ackRequest;
  private int reserved7;
  private int psn;

  // As numbers and flags: to write references into an object that is used again and again costs
  // more than to look them up.
  private boolean hasOpcode;
  private int opcodeValue;

  private final Xrceth xrceth = new Xrceth();
  private final Deth deth = new Deth();
  private final Feth feth = new Feth();
  private final Reth reth = new Reth();
  private final AtomicEth atomicEth = new AtomicEth();
  private final Aeth aeth = new Aeth();
  private long originalData;
  private int immediate;
  private int invalidateRkey;

  private boolean hasPayload;
  private byte[] payloadBuffer = NO_PAYLOAD;
  private int payloadOffset;
  private int payloadLength;
  private int padBytes;

  /** Creates a packet with the fields of {@link #clear()}. */
  public Packet() {
    clear();
  }

  /**
   * Forgets everything: no opcode, no payload, all fields 0 or false, except hop limit {@link
   * #DEFAULT_HOP_LIMIT}, P_Key {@link #DEFAULT_PARTITION_KEY}, "do not fragment" and "migrated"
   * set.
   *
   * @return this packet
   */
  public Packet clear() {
    network.clear();
    solicited = false;
    migrated = true;
    transportVersion = 0;
    partitionKey = DEFAULT_PARTITION_KEY;
    fecn = false;
    becn = false;
    reserved6 = 0;
    destinationQueuePair = 0;
    ackRequest = false;
    reserved7 = 0;
    psn = 0;
    hasOpcode = false;
    opcodeValue = 0;
    hasPayload = false;
    payloadOffset = 0;
    payloadLength = 0;
    padBytes = 0;
    clearExtendedHeaders();
    return this;
  }

  /** Sets the fields of all headers between BTH and payload to 0. */
  void clearExtendedHeaders() {
    xrceth.clear();
    deth.clear();
    feth.clear();
    reth.clear();
    atomicEth.clear();
    aeth.clear();
    originalData = 0;
    immediate = 0;
    invalidateRkey = 0;
  }

  // ---- in front of the BTH -------------------------------------------------------------------

  /** {@return the headers of Ethernet, IP and UDP} */
  public NetworkHeaders network() {
    return network;
  }

  // ---- BTH -----------------------------------------------------------------------------------

  /** {@return the solicited event bit (SE)} */
  public boolean solicited() {
    return solicited;
  }

  /**
   * Sets {@link #solicited()}.
   *
   * @param value whether it is set
   * @return this packet
   */
  public Packet solicited(boolean value) {
    solicited = value;
    return this;
  }

  /** {@return the migration request bit (MigReq): true is the normal state, "migrated"} */
  public boolean migrated() {
    return migrated;
  }

  /**
   * Sets {@link #migrated()}.
   *
   * @param value whether it is set
   * @return this packet
   */
  public Packet migrated(boolean value) {
    migrated = value;
    return this;
  }

  /**
   * {@return the transport header version (TVer)} Only 0 is legal; a receiver drops everything
   * else.
   */
  public int transportVersion() {
    return transportVersion;
  }

  /**
   * Sets {@link #transportVersion()}.
   *
   * @param value the new value; bits above the lowest 4 are dropped
   * @return this packet
   */
  public Packet transportVersion(int value) {
    transportVersion = value & 0xF;
    return this;
  }

  /** {@return the P_Key, 16 bits} */
  public int partitionKey() {
    return partitionKey;
  }

  /**
   * Sets {@link #partitionKey()}.
   *
   * @param value the new value; bits above the lowest 16 are dropped
   * @return this packet
   */
  public Packet partitionKey(int value) {
    partitionKey = value & 0xFFFF;
    return this;
  }

  /** {@return the forward congestion bit; RoCEv2 uses the ECN bits of IP instead} */
  public boolean fecn() {
    return fecn;
  }

  /**
   * Sets {@link #fecn()}.
   *
   * @param value whether it is set
   * @return this packet
   */
  public Packet fecn(boolean value) {
    fecn = value;
    return this;
  }

  /** {@return the backward congestion bit, set in a CNP} */
  public boolean becn() {
    return becn;
  }

  /**
   * Sets {@link #becn()}.
   *
   * @param value whether it is set
   * @return this packet
   */
  public Packet becn(boolean value) {
    becn = value;
    return this;
  }

  /** {@return the six reserved bits behind FECN and BECN, which the ICRC does not cover} */
  public int reserved6() {
    return reserved6;
  }

  /**
   * Sets {@link #reserved6()}.
   *
   * @param value the new value; bits above the lowest 6 are dropped
   * @return this packet
   */
  public Packet reserved6(int value) {
    reserved6 = value & 0x3F;
    return this;
  }

  /** {@return the number of the queue pair that the packet is for, 24 bits} */
  public int destinationQueuePair() {
    return destinationQueuePair;
  }

  /**
   * Sets {@link #destinationQueuePair()}.
   *
   * @param value the new value; bits above the lowest 24 are dropped
   * @return this packet
   */
  public Packet destinationQueuePair(int value) {
    destinationQueuePair = value & 0xFF_FFFF;
    return this;
  }

  /** {@return the acknowledge request bit (AckReq)} */
  public boolean ackRequest() {
    return ackRequest;
  }

  /**
   * Sets {@link #ackRequest()}.
   *
   * @param value whether it is set
   * @return this packet
   */
  public Packet ackRequest(boolean value) {
    ackRequest = value;
    return this;
  }

  /** {@return the seven reserved bits behind AckReq, which the ICRC covers} */
  public int reserved7() {
    return reserved7;
  }

  /**
   * Sets {@link #reserved7()}.
   *
   * @param value the new value; bits above the lowest 7 are dropped
   * @return this packet
   */
  public Packet reserved7(int value) {
    reserved7 = value & 0x7F;
    return this;
  }

  /** {@return the packet sequence number, 24 bits} */
  public int psn() {
    return psn;
  }

  /**
   * Sets {@link #psn()}.
   *
   * @param value the new value; bits above the lowest 24 are dropped
   * @return this packet
   */
  public Packet psn(int value) {
    psn = value & PacketSequenceNumbers.MASK;
    return this;
  }

  /**
   * {@return the opcode}
   *
   * @throws IllegalStateException if none was set, or the decoded {@link #opcodeValue()} has none
   */
  public Opcode opcode() {
    Opcode known = hasOpcode ? Opcode.of(opcodeValue) : null;
    if (known == null) {
      throw noOpcode();
    }
    return known;
  }

  /**
   * Sets the opcode and with it {@link #opcodeValue()}.
   *
   * @param value the opcode
   * @return this packet
   */
  public Packet opcode(Opcode value) {
    hasOpcode = true;
    opcodeValue = value.value();
    return this;
  }

  /** {@return whether there is an {@link #opcode()}} */
  public boolean hasOpcode() {
    return hasOpcode;
  }

  /** {@return the opcode as it is on the wire, 8 bits} */
  public int opcodeValue() {
    return opcodeValue;
  }

  /**
   * Sets the opcode by its value on the wire, and {@link #opcode()} if the value has one.
   *
   * @param value the value; bits above the lowest 8 are dropped
   * @return this packet
   */
  public Packet opcodeValue(int value) {
    opcodeValue = value & 0xFF;
    hasOpcode = Opcode.of(value) != null;
    return this;
  }

  // ---- extended headers ----------------------------------------------------------------------

  /** {@return the shared receive queue of an XRC request (XRCETH)} */
  public Xrceth xrceth() {
    return xrceth;
  }

  /** {@return whom a datagram comes from, and its Q_Key (DETH)} */
  public Deth deth() {
    return deth;
  }

  /** {@return what a FLUSH asks for (FETH)} */
  public Feth feth() {
    return feth;
  }

  /** {@return the memory that a WRITE, a READ or a FLUSH is about (RETH)} */
  public Reth reth() {
    return reth;
  }

  /** {@return the word that an atomic operation is about, and its operands (AtomicETH)} */
  public AtomicEth atomicEth() {
    return atomicEth;
  }

  /** {@return what a responder says (AETH)} */
  public Aeth aeth() {
    return aeth;
  }

  /** {@return what the memory held before the atomic operation (AtomicAckETH)} */
  public long originalData() {
    return originalData;
  }

  /**
   * Sets {@link #originalData()}.
   *
   * @param value the new value, all 64 bits of it
   * @return this packet
   */
  public Packet originalData(long value) {
    originalData = value;
    return this;
  }

  /** {@return the immediate data} */
  public int immediate() {
    return immediate;
  }

  /**
   * Sets {@link #immediate()}.
   *
   * @param value the new value, all 32 bits of it
   * @return this packet
   */
  public Packet immediate(int value) {
    immediate = value;
    return this;
  }

  /** {@return the R_Key that the receiver is to invalidate (IETH)} */
  public int invalidateRkey() {
    return invalidateRkey;
  }

  /**
   * Sets {@link #invalidateRkey()}.
   *
   * @param value the new value, all 32 bits of it
   * @return this packet
   */
  public Packet invalidateRkey(int value) {
    invalidateRkey = value;
    return this;
  }

  // ---- payload -------------------------------------------------------------------------------

  /** {@return the array that holds the payload, which still belongs to whoever passed it} */
  public byte[] payloadBuffer() {
    return hasPayload ? payloadBuffer : NO_PAYLOAD;
  }

  /** {@return where in {@link #payloadBuffer()} the payload starts} */
  public int payloadOffset() {
    return payloadOffset;
  }

  /** {@return the length of the payload in bytes, without pad} */
  public int payloadLength() {
    return payloadLength;
  }

  /**
   * Sets the payload, without a copy.
   *
   * @param buffer the array that holds it
   * @param offset where it starts
   * @param length its length in bytes
   * @return this packet
   * @throws IndexOutOfBoundsException if the range does not lie in the array
   */
  public Packet payload(byte[] buffer, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, buffer.length);
    hasPayload = true;
    if (payloadBuffer != buffer) {
      payloadBuffer = buffer;
    }
    payloadOffset = offset;
    payloadLength = length;
    return this;
  }

  /**
   * {@return how many bytes of pad follow the payload: as many as make the length a multiple of
   * four}
   */
  public int padCount() {
    return -payloadLength & 3;
  }

  /**
   * {@return the pad, its last byte in the lowest bits} A sender fills it with zeros, a receiver
   * takes any value, the ICRC covers it.
   */
  public int padBytes() {
    return padBytes;
  }

  /**
   * Sets {@link #padBytes()}.
   *
   * @param value the new value; of its bytes the lowest {@link #padCount()} are used
   * @return this packet
   */
  public Packet padBytes(int value) {
    padBytes = value;
    return this;
  }

  // ---- words ---------------------------------------------------------------------------------

  private IllegalStateException noOpcode() {
    return new IllegalStateException(
        opcodeValue == 0
            ? "the packet has no opcode; set one first"
            : String.format(
                Locale.ROOT,
                "the opcode value 0x%02x has no meaning; ask hasOpcode() first",
                opcodeValue));
  }

  /**
   * Says what the packet is where it is clear between whom.
   *
   * @return the line of {@link #toString()} without the queue pair
   */
  public String summary() {
    return PacketText.of(this, false);
  }

  /** One line for people: operation, queue pair, PSN and what the opcode adds to them. */
  @Override
  public String toString() {
    return PacketText.of(this, true);
  }
}
