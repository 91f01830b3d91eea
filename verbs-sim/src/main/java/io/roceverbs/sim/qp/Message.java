package io.roceverbs.sim.qp;

import io.roceverbs.sim.wire.Opcode;

/** Which message of the peer is under way at a responder. */
enum Message {
  NONE,
  SEND,
  WRITE;

  /**
   * Rule OPCODE-SEQUENCE: MIDDLE and LAST inside a message of their kind only, all others outside
   * only.
   */
  boolean goesOnWith(Opcode opcode) {
    if (opcode.isSend() && !opcode.startsMessage()) {
      return this == SEND;
    }
    if (opcode.isWrite() && !opcode.startsMessage()) {
      return this == WRITE;
    }
    return this == NONE;
  }
}
