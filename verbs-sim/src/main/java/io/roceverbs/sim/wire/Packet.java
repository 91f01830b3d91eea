package io.roceverbs.sim.wire;

import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The fields of one RoCEv2 packet, from the Ethernet header to the payload.
 *
 * <p>The object is made to be reused: {@link #clear()} it, set the fields that the opcode needs,
 * and give it to {@link PacketCodec#encode}; or let {@link PacketCodec#decode} fill it. A setter
 * returns the packet and keeps only as many low bits as the field has on the wire. Fields of
 * headers that the opcode does not have are ignored when encoding, and are zero after decoding.
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

  private long destinationMac;
  private long sourceMac;

  private boolean ipv6;
  private long sourceHigh;
  private long sourceLow;
  private long destinationHigh;
  private long destinationLow;
  private int trafficClass;
  private int hopLimit;
  private int identification;
  private boolean dontFragment;
  private int flowLabel;

  private int sourcePort;
  private int udpChecksum;

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

  private long remoteAddress;
  private int rkey;
  private int dmaLength;
  private long swapOrAdd;
  private long compare;

  private int syndrome;
  private int messageSequenceNumber;
  private long originalData;

  private int immediate;
  private int invalidateRkey;

  private int queueKey;
  private int sourceQueuePair;
  private int datagramReserved;
  private int sharedReceiveQueue;
  private int sharedReceiveReserved;

  private int flushSelectivity;
  private int flushPlacement;
  private int flushReserved;

  private @Nullable Opcode opcode;
  private int opcodeValue;

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
    destinationMac = 0;
    sourceMac = 0;
    ipv6 = false;
    sourceHigh = 0;
    sourceLow = 0;
    destinationHigh = 0;
    destinationLow = 0;
    trafficClass = 0;
    hopLimit = DEFAULT_HOP_LIMIT;
    identification = 0;
    dontFragment = true;
    flowLabel = 0;
    sourcePort = 0;
    udpChecksum = 0;
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
    opcode = null;
    opcodeValue = 0;
    payloadBuffer = NO_PAYLOAD;
    payloadOffset = 0;
    payloadLength = 0;
    padBytes = 0;
    clearExtendedHeaders();
    return this;
  }

  /** Sets the fields of all headers between BTH and payload to 0. */
  void clearExtendedHeaders() {
    remoteAddress = 0;
    rkey = 0;
    dmaLength = 0;
    swapOrAdd = 0;
    compare = 0;
    syndrome = 0;
    messageSequenceNumber = 0;
    originalData = 0;
    immediate = 0;
    invalidateRkey = 0;
    queueKey = 0;
    sourceQueuePair = 0;
    datagramReserved = 0;
    sharedReceiveQueue = 0;
    sharedReceiveReserved = 0;
    flushSelectivity = 0;
    flushPlacement = 0;
    flushReserved = 0;
  }

  /** {@return the Ethernet destination address, in the lower 48 bits} */
  public long destinationMac() {
    return destinationMac;
  }

  /**
   * Sets {@link #destinationMac()}.
   *
   * @param value the new value; bits above the lowest 48 are dropped
   * @return this packet
   */
  public Packet destinationMac(long value) {
    destinationMac = value & 0xFFFF_FFFF_FFFFL;
    return this;
  }

  /** {@return the Ethernet source address, in the lower 48 bits} */
  public long sourceMac() {
    return sourceMac;
  }

  /**
   * Sets {@link #sourceMac()}.
   *
   * @param value the new value; bits above the lowest 48 are dropped
   * @return this packet
   */
  public Packet sourceMac(long value) {
    sourceMac = value & 0xFFFF_FFFF_FFFFL;
    return this;
  }

  /** {@return whether the packet travels over IPv6; false means IPv4} */
  public boolean ipv6() {
    return ipv6;
  }

  /**
   * Sets {@link #ipv6()}.
   *
   * @param value true for IPv6, false for IPv4
   * @return this packet
   */
  public Packet ipv6(boolean value) {
    ipv6 = value;
    return this;
  }

  /** {@return the upper 64 bits of the IP source address} */
  public long sourceHigh() {
    return sourceHigh;
  }

  /**
   * Sets {@link #sourceHigh()}.
   *
   * @param value the new value, all 64 bits of it
   * @return this packet
   */
  public Packet sourceHigh(long value) {
    sourceHigh = value;
    return this;
  }

  /** {@return the lower 64 bits of the IP source address} */
  public long sourceLow() {
    return sourceLow;
  }

  /**
   * Sets {@link #sourceLow()}.
   *
   * @param value the new value, all 64 bits of it
   * @return this packet
   */
  public Packet sourceLow(long value) {
    sourceLow = value;
    return this;
  }

  /** {@return the upper 64 bits of the IP destination address} */
  public long destinationHigh() {
    return destinationHigh;
  }

  /**
   * Sets {@link #destinationHigh()}.
   *
   * @param value the new value, all 64 bits of it
   * @return this packet
   */
  public Packet destinationHigh(long value) {
    destinationHigh = value;
    return this;
  }

  /** {@return the lower 64 bits of the IP destination address} */
  public long destinationLow() {
    return destinationLow;
  }

  /**
   * Sets {@link #destinationLow()}.
   *
   * @param value the new value, all 64 bits of it
   * @return this packet
   */
  public Packet destinationLow(long value) {
    destinationLow = value;
    return this;
  }

  /**
   * {@return the TOS byte of IPv4 or the traffic class of IPv6: DSCP in bits 7 to 2, ECN in bits 1
   * and 0}
   */
  public int trafficClass() {
    return trafficClass;
  }

  /**
   * Sets {@link #trafficClass()}.
   *
   * @param value the new value; bits above the lowest 8 are dropped
   * @return this packet
   */
  public Packet trafficClass(int value) {
    trafficClass = value & 0xFF;
    return this;
  }

  /** {@return the TTL of IPv4 or the hop limit of IPv6} */
  public int hopLimit() {
    return hopLimit;
  }

  /**
   * Sets {@link #hopLimit()}.
   *
   * @param value the new value; bits above the lowest 8 are dropped
   * @return this packet
   */
  public Packet hopLimit(int value) {
    hopLimit = value & 0xFF;
    return this;
  }

  /** {@return the identification of IPv4, 16 bits; IPv6 has none} */
  public int identification() {
    return identification;
  }

  /**
   * Sets {@link #identification()}.
   *
   * @param value the new value; bits above the lowest 16 are dropped
   * @return this packet
   */
  public Packet identification(int value) {
    identification = value & 0xFFFF;
    return this;
  }

  /** {@return the "do not fragment" flag of IPv4; IPv6 has none} */
  public boolean dontFragment() {
    return dontFragment;
  }

  /**
   * Sets {@link #dontFragment()}.
   *
   * @param value whether it is set
   * @return this packet
   */
  public Packet dontFragment(boolean value) {
    dontFragment = value;
    return this;
  }

  /** {@return the flow label of IPv6, 20 bits; IPv4 has none} */
  public int flowLabel() {
    return flowLabel;
  }

  /**
   * Sets {@link #flowLabel()}.
   *
   * @param value the new value; bits above the lowest 20 are dropped
   * @return this packet
   */
  public Packet flowLabel(int value) {
    flowLabel = value & 0xF_FFFF;
    return this;
  }

  /** {@return the UDP source port; the destination port is always {@link #UDP_PORT}} */
  public int sourcePort() {
    return sourcePort;
  }

  /**
   * Sets {@link #sourcePort()}.
   *
   * @param value the new value; bits above the lowest 16 are dropped
   * @return this packet
   */
  public Packet sourcePort(int value) {
    sourcePort = value & 0xFFFF;
    return this;
  }

  /** {@return the UDP checksum as it is on the wire; 0 means that there is none} */
  public int udpChecksum() {
    return udpChecksum;
  }

  /**
   * Sets {@link #udpChecksum()}.
   *
   * @param value the new value; bits above the lowest 16 are dropped
   * @return this packet
   */
  public Packet udpChecksum(int value) {
    udpChecksum = value & 0xFFFF;
    return this;
  }

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
    Opcode known = opcode;
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
    opcode = value;
    opcodeValue = value.value();
    return this;
  }

  /** {@return whether there is an {@link #opcode()}} */
  public boolean hasOpcode() {
    return opcode != null;
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
    opcode = Opcode.of(value);
    return this;
  }

  /** {@return the virtual address of a RETH or an AtomicETH} */
  public long remoteAddress() {
    return remoteAddress;
  }

  /**
   * Sets {@link #remoteAddress()}.
   *
   * @param value the new value, all 64 bits of it
   * @return this packet
   */
  public Packet remoteAddress(long value) {
    remoteAddress = value;
    return this;
  }

  /** {@return the R_Key of a RETH or an AtomicETH} */
  public int rkey() {
    return rkey;
  }

  /**
   * Sets {@link #rkey()}.
   *
   * @param value the new value, all 32 bits of it
   * @return this packet
   */
  public Packet rkey(int value) {
    rkey = value;
    return this;
  }

  /** {@return the length of the whole message in bytes (RETH), an unsigned number} */
  public int dmaLength() {
    return dmaLength;
  }

  /**
   * Sets {@link #dmaLength()}.
   *
   * @param value the new value, all 32 bits of it
   * @return this packet
   */
  public Packet dmaLength(int value) {
    dmaLength = value;
    return this;
  }

  /** {@return the value to store or to add (AtomicETH)} */
  public long swapOrAdd() {
    return swapOrAdd;
  }

  /**
   * Sets {@link #swapOrAdd()}.
   *
   * @param value the new value, all 64 bits of it
   * @return this packet
   */
  public Packet swapOrAdd(long value) {
    swapOrAdd = value;
    return this;
  }

  /** {@return the value to compare the memory with (AtomicETH); 0 in FETCH_ADD} */
  public long compare() {
    return compare;
  }

  /**
   * Sets {@link #compare()}.
   *
   * @param value the new value, all 64 bits of it
   * @return this packet
   */
  public Packet compare(long value) {
    compare = value;
    return this;
  }

  /** {@return what an answer says (AETH), see {@link Syndrome}} */
  public int syndrome() {
    return syndrome;
  }

  /**
   * Sets {@link #syndrome()}.
   *
   * @param value the new value; bits above the lowest 8 are dropped
   * @return this packet
   */
  public Packet syndrome(int value) {
    syndrome = value & 0xFF;
    return this;
  }

  /** {@return how many requests the responder has completed (AETH), 24 bits} */
  public int messageSequenceNumber() {
    return messageSequenceNumber;
  }

  /**
   * Sets {@link #messageSequenceNumber()}.
   *
   * @param value the new value; bits above the lowest 24 are dropped
   * @return this packet
   */
  public Packet messageSequenceNumber(int value) {
    messageSequenceNumber = value & 0xFF_FFFF;
    return this;
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

  /** {@return the Q_Key (DETH)} */
  public int queueKey() {
    return queueKey;
  }

  /**
   * Sets {@link #queueKey()}.
   *
   * @param value the new value, all 32 bits of it
   * @return this packet
   */
  public Packet queueKey(int value) {
    queueKey = value;
    return this;
  }

  /** {@return the number of the queue pair that sent the datagram, 24 bits (DETH)} */
  public int sourceQueuePair() {
    return sourceQueuePair;
  }

  /**
   * Sets {@link #sourceQueuePair()}.
   *
   * @param value the new value; bits above the lowest 24 are dropped
   * @return this packet
   */
  public Packet sourceQueuePair(int value) {
    sourceQueuePair = value & 0xFF_FFFF;
    return this;
  }

  /** {@return the reserved byte of the DETH, which the ICRC covers} */
  public int datagramReserved() {
    return datagramReserved;
  }

  /**
   * Sets {@link #datagramReserved()}.
   *
   * @param value the new value; bits above the lowest 8 are dropped
   * @return this packet
   */
  public Packet datagramReserved(int value) {
    datagramReserved = value & 0xFF;
    return this;
  }

  /** {@return the shared receive queue of an XRC request, 24 bits} */
  public int sharedReceiveQueue() {
    return sharedReceiveQueue;
  }

  /**
   * Sets {@link #sharedReceiveQueue()}.
   *
   * @param value 24 bits
   * @return this packet
   */
  public Packet sharedReceiveQueue(int value) {
    sharedReceiveQueue = value & 0xFF_FFFF;
    return this;
  }

  /** {@return the reserved byte of an XRC request's header, 8 bits} */
  public int sharedReceiveReserved() {
    return sharedReceiveReserved;
  }

  /**
   * Sets {@link #sharedReceiveReserved()}.
   *
   * @param value 8 bits
   * @return this packet
   */
  public Packet sharedReceiveReserved(int value) {
    sharedReceiveReserved = value & 0xFF;
    return this;
  }

  /** {@return what to flush (FETH): 0 a range, 1 the whole memory region} */
  public int flushSelectivity() {
    return flushSelectivity;
  }

  /**
   * Sets {@link #flushSelectivity()}.
   *
   * @param value the new value; bits above the lowest 2 are dropped
   * @return this packet
   */
  public Packet flushSelectivity(int value) {
    flushSelectivity = value & 0x3;
    return this;
  }

  /** {@return how far to flush (FETH): bit 0 global visibility, bit 1 persistence} */
  public int flushPlacement() {
    return flushPlacement;
  }

  /**
   * Sets {@link #flushPlacement()}.
   *
   * @param value the new value; bits above the lowest 4 are dropped
   * @return this packet
   */
  public Packet flushPlacement(int value) {
    flushPlacement = value & 0xF;
    return this;
  }

  /** {@return the 26 reserved bits of the FETH, which the ICRC covers} */
  public int flushReserved() {
    return flushReserved;
  }

  /**
   * Sets {@link #flushReserved()}.
   *
   * @param value the new value; bits above the lowest 26 are dropped
   * @return this packet
   */
  public Packet flushReserved(int value) {
    flushReserved = value & 0x3FF_FFFF;
    return this;
  }

  /** {@return the array that holds the payload, which still belongs to whoever passed it} */
  public byte[] payloadBuffer() {
    return payloadBuffer;
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
    payloadBuffer = buffer;
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
