package io.roceverbs.sim.qp;

import io.roceverbs.sim.memory.KeyFault;
import io.roceverbs.sim.memory.KeyTable;
import io.roceverbs.sim.profile.PostingSwitch.DatagramOverMtu;
import io.roceverbs.sim.profile.PostingSwitch.QueueKeyHighBit;
import io.roceverbs.sim.wire.Packet;
import io.roceverbs.sim.wire.TransportClass;
import io.roceverbs.verbs.DeviceCapability;

/** The sending half of a UD queue pair: one packet for each request, wherever that leads. */
final class DatagramRequester extends OneWayRequester {
  private static final int HIGH_BIT = 0x8000_0000;

  private final RequestBuilder builder;
  private final boolean silentOverMtu;
  private final boolean ownKeyForHighBit;
  private final boolean enforcesPort;

  DatagramRequester(
      QueuePairEngine engine, KeyTable keys, int domain, SendQueue queue, EngineContext context) {
    super(engine, keys, domain, queue, context);
    this.builder = new RequestBuilder(keys, domain, TransportClass.UD);
    this.silentOverMtu = context.profile().is(DatagramOverMtu.SILENT_SUCCESS);
    this.enforcesPort = context.profile().has(DeviceCapability.UD_AV_PORT_ENFORCE);
    this.ownKeyForHighBit = context.profile().is(QueueKeyHighBit.OWN_QKEY);
  }

  @Override
  int packetCount(SendWork work) {
    return 1;
  }

  @Override
  Outcome judge(SendWork work) {
    // Rule PORT-OF-HANDLE: a datagram leaves by the port of its queue pair, and the handle agrees.
    boolean isPortWrong = enforcesPort && work.path().vector().port() != engine.port();
    if (work.isToForeignDomain() || isPortWrong) {
      return Outcome.FAIL_OPERATION;
    }
    if (work.messageBytes() > engine.link().mtuBytes()) {
      // Rule DATAGRAM-OVER-MTU: nothing is sent, and by the rules nobody is told.
      engine.counters().countDatagramOverMtu();
      return silentOverMtu ? Outcome.SUCCEED_UNSENT : Outcome.FAIL_LENGTH;
    }
    return Outcome.SEND;
  }

  @Override
  KeyFault build(SendWork work, int index, Packet packet) {
    KeyFault fault = builder.buildMessagePacket(work, index, engine.link().mtuBytes(), packet);
    if (fault != KeyFault.NONE) {
      return fault;
    }
    work.path().address(packet);
    packet.destinationQueuePair(work.remoteQueuePair());
    packet.deth().queueKey(queueKey(work)).sourceQueuePair(engine.number());
    return KeyFault.NONE;
  }

  /**
   * Rule QKEY-HIGH-BIT: a key with bit 31 stands for the queue pair's own, so that a ULP can't send
   * under one that is for the privileged.
   */
  private int queueKey(SendWork work) {
    int key = work.remoteQueueKey();
    return ownKeyForHighBit && (key & HIGH_BIT) != 0 ? engine.settings().queueKey() : key;
  }
}
