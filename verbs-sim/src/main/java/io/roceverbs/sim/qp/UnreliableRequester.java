package io.roceverbs.sim.qp;

import io.roceverbs.sim.memory.KeyFault;
import io.roceverbs.sim.memory.KeyTable;
import io.roceverbs.sim.wire.Packet;
import io.roceverbs.sim.wire.PacketSequenceNumbers;
import io.roceverbs.sim.wire.TransportClass;

/** The sending half of a UC queue pair: messages of any length, none of them acknowledged. */
final class UnreliableRequester extends OneWayRequester {
  private final RequestBuilder builder;

  UnreliableRequester(
      QueuePairEngine engine, KeyTable keys, int domain, SendQueue queue, EngineContext context) {
    super(engine, keys, domain, queue, context);
    this.builder = new RequestBuilder(keys, domain, TransportClass.UC);
  }

  @Override
  int packetCount(SendWork work) {
    return PacketSequenceNumbers.count(work.messageBytes(), engine.settings().pathMtuBytes());
  }

  @Override
  Outcome judge(SendWork work) {
    return Outcome.SEND;
  }

  @Override
  KeyFault build(SendWork work, int index, Packet packet) {
    return builder.buildMessagePacket(work, index, engine.settings().pathMtuBytes(), packet);
  }
}
