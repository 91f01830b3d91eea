package io.roceverbs.sim.wire;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * Frames whose every byte is known, and the packets that they are.
 *
 * <p>Two nodes, with MAC addresses ending in 01 and 02 and the addresses 192.0.2.1 and 192.0.2.2;
 * queue pair 0x12 is on the first and 0x11 on the second. The bytes were computed by independent
 * programs, apart from {@link #CONNECTX_CNP}, which a ConnectX-4 Lx sent.
 */
@SuppressWarnings("ImmutableEnumChecker") // Nobody changes them: frames are handed out as copies.
enum Vectors {
  SEND_ONLY_WITH_INVALIDATE(
      "0200000000020200000000010800"
          + "45000038000040004011b6b1c0000201c0000202"
          + "c00112b7002400001730ffff0000001180000100"
          + "0000123468656c6c6f000000fd061042",
      toSecond(Opcode.RC_SEND_ONLY_WITH_INVALIDATE, 0x100)
          .ackRequest(true)
          .invalidateRkey(0x1234)
          .payload("hello".getBytes(StandardCharsets.US_ASCII), 0, 5),
      "SEND_ONLY_WITH_INVALIDATE qp=0x000011 psn=0x000100 ackreq inv=0x00001234 len=5"),
  ACKNOWLEDGE(
      "0200000000010200000000020800"
          + "45000030000040004011b6b9c0000202c0000201"
          + "c00212b7001c00001100ffff0000001200000100"
          + "1f000001e14e4d2f",
      Packets.with(
          toFirst(Opcode.RC_ACKNOWLEDGE, 0x100),
          packet ->
              packet
                  .aeth()
                  .syndrome(Syndrome.ackSyndrome(Syndrome.CREDITS_UNLIMITED))
                  .messageSequenceNumber(1)),
      "ACK psn=0x000100 msn=1"),
  SEQUENCE_NAK(
      "0200000000010200000000020800"
          + "45000030000040004011b6b9c0000202c0000201"
          + "c00212b7001c00001100ffff0000001200000101"
          + "600000019bd77121",
      Packets.with(
          toFirst(Opcode.RC_ACKNOWLEDGE, 0x101),
          packet ->
              packet
                  .aeth()
                  .syndrome(Syndrome.nakSyndrome(NakCode.PSN_SEQUENCE_ERROR))
                  .messageSequenceNumber(1)),
      "NAK(PSN_SEQUENCE_ERROR) psn=0x000101 msn=1"),
  RNR_NAK(
      "0200000000010200000000020800"
          + "45000030000040004011b6b9c0000202c0000201"
          + "c00212b7001c00001100ffff0000001200000101"
          + "21000001c3e8d902",
      Packets.with(
          toFirst(Opcode.RC_ACKNOWLEDGE, 0x101),
          packet -> packet.aeth().syndrome(Syndrome.rnrSyndrome(1)).messageSequenceNumber(1)),
      "RNR_NAK(1) psn=0x000101 msn=1"),
  WRITE_ONLY_WITH_IMMEDIATE(
      "0200000000020200000000010800"
          + "45000044000040004011b6a5c0000201c0000202"
          + "c00112b7003000000b00ffff0000001180000102"
          + "00000000000100000000230100000004deadbeef01020304f7e06bba",
      Packets.with(
          toSecond(Opcode.RC_WRITE_ONLY_WITH_IMMEDIATE, 0x102)
              .ackRequest(true)
              .immediate(0xDEADBEEF)
              .payload(new byte[] {1, 2, 3, 4}, 0, 4),
          packet -> packet.reth().remoteAddress(0x10000).rkey(0x2301).dmaLength(4)),
      "WRITE_ONLY_WITH_IMMEDIATE qp=0x000011 psn=0x000102 ackreq"
          + " va=0x10000 rkey=0x00002301 dma=4 imm=0xdeadbeef len=4"),
  READ_REQUEST(
      "0200000000020200000000010800"
          + "4500003c000040004011b6adc0000201c0000202"
          + "c00112b7002800000c00ffff0000001180000103"
          + "0000000000020000000023010000080098f32451",
      Packets.with(
          toSecond(Opcode.RC_READ_REQUEST, 0x103).ackRequest(true),
          packet -> packet.reth().remoteAddress(0x20000).rkey(0x2301).dmaLength(2048)),
      "READ_REQUEST qp=0x000011 psn=0x000103 ackreq va=0x20000 rkey=0x00002301 len=2048"),
  READ_RESPONSE_ONLY(
      "0200000000010200000000020800"
          + "45000034000040004011b6b5c0000202c0000201"
          + "c00212b7002000001010ffff0000001200000103"
          + "1f00000361626300ad4e4d88",
      Packets.with(
          toFirst(Opcode.RC_READ_RESPONSE_ONLY, 0x103)
              .payload("abc".getBytes(StandardCharsets.US_ASCII), 0, 3),
          packet -> packet.aeth().syndrome(0x1F).messageSequenceNumber(3)),
      "READ_RESPONSE_ONLY qp=0x000012 psn=0x000103 msn=3 len=3"),
  COMPARE_SWAP(
      "0200000000020200000000010800"
          + "45000048000040004011b6a1c0000201c0000202"
          + "c00112b7003400001300ffff0000001180000105"
          + "000000000003000800002301000000000000000700000000000000053b540bf9",
      Packets.with(
          toSecond(Opcode.RC_COMPARE_SWAP, 0x105).ackRequest(true),
          packet -> packet.atomicEth().remoteAddress(0x30008).rkey(0x2301).swapOrAdd(7).compare(5)),
      "COMPARE_SWAP qp=0x000011 psn=0x000105 ackreq"
          + " va=0x30008 rkey=0x00002301 compare=0x5 swap=0x7"),
  ATOMIC_ACKNOWLEDGE(
      "0200000000010200000000020800"
          + "45000038000040004011b6b1c0000202c0000201"
          + "c00212b7002400001200ffff0000001200000105"
          + "1f000004000000000000000545b80f30",
      Packets.with(
          toFirst(Opcode.RC_ATOMIC_ACKNOWLEDGE, 0x105).originalData(5),
          packet -> packet.aeth().syndrome(0x1F).messageSequenceNumber(4)),
      "ATOMIC_ACKNOWLEDGE qp=0x000012 psn=0x000105 msn=4 original=0x5"),
  UC_SEND_ONLY(
      "0200000000020200000000010800"
          + "45000030000040004011b6b9c0000201c0000202"
          + "c00112b7001c00002400ffff0000001300000007"
          + "010203046e7a0ec4",
      toSecond(Opcode.UC_SEND_ONLY, 7)
          .destinationQueuePair(0x13)
          .payload(new byte[] {1, 2, 3, 4}, 0, 4),
      "UC_SEND_ONLY qp=0x000013 psn=0x000007 len=4"),
  UD_SEND_ONLY(
      "0200000000020200000000010800"
          + "45000038000040004011b6b1c0000201c0000202"
          + "c00112b7002400006400ffff0000001500000009"
          + "111111110000001401020304c6c62ac8",
      Packets.with(
          toSecond(Opcode.UD_SEND_ONLY, 9)
              .destinationQueuePair(0x15)
              .payload(new byte[] {1, 2, 3, 4}, 0, 4),
          packet -> packet.deth().queueKey(0x11111111).sourceQueuePair(0x14)),
      "UD_SEND_ONLY qp=0x000015 psn=0x000009 srcqp=0x000014 qkey=0x11111111 len=4"),
  CNP(
      "0200000000010200000000020800"
          + "45c2003c000040004011b5ebc0000202c0000201"
          + "c00212b7002800008100ffff4000001200000000"
          + "0000000000000000000000000000000009682633",
      Packets.with(
          toFirst(Opcode.CNP, 0).becn(true).payload(new byte[16], 0, 16),
          packet -> packet.network().trafficClass(0xC2)),
      "CNP qp=0x000012 psn=0x000000 len=16"),
  IPV6_SEND_ONLY(
      "02000000000202000000000186dd"
          + "60000000001c114020010db800000000000000000000000120010db8000000000000000000000002"
          + "c00112b7001c00000430ffff0000001180000200"
          + "5a00000066b44c43",
      Packets.with(
          toSecond(Opcode.RC_SEND_ONLY, 0x200)
              .ackRequest(true)
              .payload("Z".getBytes(StandardCharsets.US_ASCII), 0, 1),
          packet ->
              packet
                  .network()
                  .ipv6(true)
                  .sourceHigh(0x2001_0db8_0000_0000L)
                  .sourceLow(1)
                  .destinationHigh(0x2001_0db8_0000_0000L)
                  .destinationLow(2)),
      "SEND_ONLY qp=0x000011 psn=0x000200 ackreq len=1"),
  CONNECTX_CNP(
      "e41d2dab2bc27cfe90643b320800"
          + "45c2003c718c4000401191610a0011010a001201"
          + "000012b7002800008100ffff4000011800000000"
          + "0000000000000000000000000000000082fd002a",
      Packets.with(
          new Packet()
              .opcode(Opcode.CNP)
              .migrated(false)
              .becn(true)
              .destinationQueuePair(0x118)
              .payload(new byte[16], 0, 16),
          packet ->
              packet
                  .network()
                  .destinationMac(0xE41D_2DAB_2BC2L)
                  .sourceMac(0x7CFE_9064_3B32L)
                  .trafficClass(0xC2)
                  .identification(0x718C)
                  .sourceLow(0xFFFF_0A00_1101L)
                  .destinationLow(0xFFFF_0A00_1201L)),
      "CNP qp=0x000118 psn=0x000000 len=16");

  private final byte[] frame;
  private final Packet packet;
  private final String text;

  Vectors(String frame, Packet packet, String text) {
    this.frame = HexFormat.of().parseHex(frame);
    this.packet = packet;
    this.text = text;
  }

  /** A new copy of the frame, from the Ethernet header to the ICRC. */
  byte[] frame() {
    return frame.clone();
  }

  /** The packet, not to be changed. */
  Packet packet() {
    return packet;
  }

  /** The packet in one line. */
  String text() {
    return text;
  }

  private static Packet toSecond(Opcode opcode, int psn) {
    Packet packet = new Packet();
    packet
        .network()
        .destinationMac(0x0200_0000_0002L)
        .sourceMac(0x0200_0000_0001L)
        .sourceLow(0xFFFF_C000_0201L)
        .destinationLow(0xFFFF_C000_0202L)
        .sourcePort(0xC001);
    return packet.opcode(opcode).migrated(false).destinationQueuePair(0x11).psn(psn);
  }

  private static Packet toFirst(Opcode opcode, int psn) {
    Packet packet = new Packet();
    packet
        .network()
        .destinationMac(0x0200_0000_0001L)
        .sourceMac(0x0200_0000_0002L)
        .sourceLow(0xFFFF_C000_0202L)
        .destinationLow(0xFFFF_C000_0201L)
        .sourcePort(0xC002);
    return packet.opcode(opcode).migrated(false).destinationQueuePair(0x12).psn(psn);
  }
}
