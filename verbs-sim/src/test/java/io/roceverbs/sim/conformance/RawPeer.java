package io.roceverbs.sim.conformance;

import io.roceverbs.sim.ConnectionSetup;
import io.roceverbs.sim.Fabric;
import io.roceverbs.sim.LinkConfiguration;
import io.roceverbs.sim.Node;
import io.roceverbs.sim.NodeConfiguration;
import io.roceverbs.sim.RawPeerFabric;
import io.roceverbs.sim.profile.DeviceProfile;
import io.roceverbs.sim.trace.TraceEvent;
import io.roceverbs.sim.wire.Opcode;
import io.roceverbs.sim.wire.Packet;
import io.roceverbs.verbs.Gid;
import io.roceverbs.verbs.QueuePairAttributes;
import io.roceverbs.verbs.QueuePairInit;
import io.roceverbs.verbs.QueuePairState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A fixture for packets that no requester or responder of ours would send: a node {@code raw} whose
 * port the test holds, connected to one RC queue pair of node {@code b}, with the defaults of
 * {@link Pair}.
 */
final class RawPeer implements AutoCloseable {
  /** The queue pair number that {@code b} takes its peer to have. */
  static final int NUMBER = 0x000777;

  /** The first PSN in either direction. */
  static final int PSN = 0x000100;

  /** The path MTU of the defaults. */
  static final int MTU = 1024;

  private static final String NAME = "raw";
  private static final Duration ROUND_TRIP = Duration.ofNanos(2 * Pair.LATENCY_NANOS);

  final Fabric fabric;
  final Side b;
  private final List<String> completions = new ArrayList<>();
  private final Node node;
  private @Nullable RawPeerPort port;

  private RawPeer(LinkConfiguration linkOfB, DeviceProfile profileOfB) {
    this.fabric = RawPeerFabric.create(NAME, host -> port = new RawPeerPort(host));
    this.node = fabric.addNode(NAME);
    this.b =
        new Side(
            fabric,
            NodeConfiguration.named("b").withLink(linkOfB).withProfile(profileOfB),
            (send, receive) ->
                QueuePairInit.reliableConnected(send, 16, 16).withReceiveCompletionQueue(receive));
    fabric.trace().addListener(this::noteCompletion);
  }

  private void noteCompletion(TraceEvent event) {
    if (event instanceof TraceEvent.Completed completion) {
      completions.add(
          completion.operation() + " " + completion.requestId() + " " + completion.status());
    }
  }

  static RawPeer connected() {
    return connected(Pair.setup());
  }

  static RawPeer connected(ConnectionSetup setup) {
    return connected(setup, LinkConfiguration.DEFAULT);
  }

  /** With a link of {@code b} of its own: one with a finite bandwidth makes answers wait. */
  static RawPeer connected(ConnectionSetup setup, LinkConfiguration linkOfB) {
    return connected(setup, new RawPeer(linkOfB, DeviceProfile.strict()));
  }

  /** With a device of another kind at {@code b}. */
  static RawPeer connected(ConnectionSetup setup, DeviceProfile profileOfB) {
    return connected(setup, new RawPeer(LinkConfiguration.DEFAULT, profileOfB));
  }

  /** With a device of another kind and a link of its own at {@code b}. */
  static RawPeer connected(
      ConnectionSetup setup, DeviceProfile profileOfB, LinkConfiguration linkOfB) {
    return connected(setup, new RawPeer(linkOfB, profileOfB));
  }

  private static RawPeer connected(ConnectionSetup setup, RawPeer peer) {
    peer.initialize(setup);
    peer.readyToReceive(setup);
    setup.readyToSend(peer.b.queuePair);
    return peer;
  }

  /** With the queue pair of {@code b} still in RESET. */
  static RawPeer unconnected() {
    return new RawPeer(LinkConfiguration.DEFAULT, DeviceProfile.strict());
  }

  /** RESET to INIT. */
  void initialize(ConnectionSetup setup) {
    setup.initialize(b.queuePair);
  }

  /**
   * INIT to RTR, toward the address of the same IP version that the setup's GID index stands for.
   */
  void readyToReceive(ConnectionSetup setup) {
    Gid peer = setup.gidIndex() == 0 ? node.gid() : node.ipv6Gid();
    setup.readyToReceive(b.queuePair, peer, NUMBER);
  }

  /** Through RESET to RTS again. */
  void reconnect(ConnectionSetup setup) {
    b.queuePair.modify(QueuePairAttributes.to(QueuePairState.RESET).build());
    initialize(setup);
    readyToReceive(setup);
    setup.readyToSend(b.queuePair);
  }

  /** Sends a packet without payload to {@code b}; a request asks for an acknowledgement. */
  void send(Opcode opcode, int psn, Consumer<Packet> fields) {
    send(opcode, psn, 0, 0, fields);
  }

  /** Sends a packet to {@code b} whose payload is one value again and again. */
  void send(Opcode opcode, int psn, int length, int fill) {
    send(opcode, psn, length, fill, packet -> {});
  }

  /** Sends a packet to {@code b} with a payload of one value and further fields. */
  void send(Opcode opcode, int psn, int length, int fill, Consumer<Packet> fields) {
    port().send(packet -> fields.accept(address(packet, opcode, psn, length, fill)));
  }

  private Packet address(Packet packet, Opcode opcode, int psn, int length, int fill) {
    int start = packet.payloadOffset();
    Arrays.fill(packet.payloadBuffer(), start, start + length, (byte) fill);
    packet
        .network()
        .sourceHigh(node.gid().high())
        .sourceLow(node.gid().low())
        .destinationHigh(b.node.gid().high())
        .destinationLow(b.node.gid().low());
    return packet
        .destinationQueuePair(b.queuePair.number())
        .opcode(opcode)
        .ackRequest(opcode.isRequest())
        .psn(psn)
        .payload(packet.payloadBuffer(), start, length);
  }

  /** Sends an ACK, RNR NAK or NAK to {@code b}. */
  void acknowledge(int psn, int syndrome) {
    send(Opcode.RC_ACKNOWLEDGE, psn, packet -> packet.aeth().syndrome(syndrome));
  }

  /** Fills in the RETH of a request. */
  static Consumer<Packet> reth(long address, int rkey, long length) {
    return packet -> packet.reth().remoteAddress(address).rkey(rkey).dmaLength((int) length);
  }

  /** Fills in the RETH of a request for a part of a memory, counted from its start. */
  static Consumer<Packet> reth(Side.Memory memory, long offset, long length) {
    return reth(memory.address() + offset, memory.rkey(), length);
  }

  /** Fills in the AtomicETH of a FETCH_ADD for a word of a memory, counted from its start. */
  static Consumer<Packet> fetchAdd(Side.Memory memory, long offset, long value) {
    return packet ->
        packet
            .atomicEth()
            .remoteAddress(memory.address() + offset)
            .rkey(memory.rkey())
            .swapOrAdd(value);
  }

  private RawPeerPort port() {
    return Objects.requireNonNull(port);
  }

  /** What has come from {@code b}, each packet as a line such as {@code ACK psn=0x000100 msn=1}. */
  List<String> received() {
    return port().texts();
  }

  /** The syndromes of the packets that have one. */
  List<Integer> syndromes() {
    return port().syndromes();
  }

  /** The migration bit of each packet. */
  List<Boolean> migrationBits() {
    return port().migrationBits();
  }

  /** The payload of the n-th packet from {@code b}, counted from 0. */
  byte[] payload(int index) {
    return port().payload(index);
  }

  /** The completions of {@code b}, polled or not, as words such as {@code RECV 1 SUCCESS}. */
  List<String> completions() {
    return List.copyOf(completions);
  }

  /** Forgets what has come. */
  void clear() {
    port().clear();
  }

  /** Lets everything happen that is going to happen by itself. */
  void run() {
    fabric.run();
  }

  /** Lets what was sent arrive and be answered, but no ACK timer of {@code b} run out. */
  void runRoundTrip() {
    fabric.runFor(ROUND_TRIP);
  }

  @Override
  public void close() {
    fabric.close();
  }
}
