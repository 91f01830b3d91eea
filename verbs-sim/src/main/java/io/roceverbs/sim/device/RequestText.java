package io.roceverbs.sim.device;

import io.roceverbs.verbs.ReceiveRequest;
import io.roceverbs.verbs.SendFlag;
import io.roceverbs.verbs.SendOpcode;
import io.roceverbs.verbs.SendRequest;
import java.util.Locale;

/** Says in few words what a posted request asks for, for the trace. */
final class RequestText {
  private RequestText() {}

  static String of(SendRequest request) {
    SendOpcode opcode = request.opcode();
    if (opcode == null) {
      return "";
    }
    StringBuilder text = new StringBuilder(opcode.toString());
    if (opcode.isLocal()) {
      return text.append(String.format(Locale.ROOT, " key 0x%08x", localKey(opcode, request)))
          .toString();
    }
    appendData(text, request);
    if (!opcode.isSend()) {
      text.append(
          String.format(
              Locale.ROOT, " rkey 0x%08x address 0x%x", request.rkey(), request.remoteAddress()));
    }
    if (opcode == SendOpcode.SEND_WITH_INV) {
      text.append(String.format(Locale.ROOT, " of key 0x%08x", request.invalidateKey()));
    }
    return text.append(request.hasFlag(SendFlag.FENCE) ? " fenced" : "").toString();
  }

  private static int localKey(SendOpcode opcode, SendRequest request) {
    if (opcode == SendOpcode.BIND_MW) {
      return request.memoryWindowRkey();
    }
    return opcode == SendOpcode.REG_MR ? request.registrationKey() : request.invalidateKey();
  }

  private static void appendData(StringBuilder text, SendRequest request) {
    if (request.hasFlag(SendFlag.INLINE)) {
      int bytes = 0;
      for (int i = 0; i < request.inlineCount(); i++) {
        bytes += request.inlineData(i).remaining();
      }
      text.append(' ').append(bytes).append(" B inline");
      return;
    }
    long bytes = 0;
    for (int i = 0; i < request.segmentCount(); i++) {
      bytes += request.segmentLength(i);
    }
    text.append(' ').append(bytes).append(" B");
    for (int i = 0; i < request.segmentCount(); i++) {
      text.append(
          String.format(Locale.ROOT, i == 0 ? " lkey 0x%08x" : ", 0x%08x", request.segmentLkey(i)));
    }
  }

  static String of(ReceiveRequest request) {
    long bytes = 0;
    for (int i = 0; i < request.segmentCount(); i++) {
      bytes += request.segmentLength(i);
    }
    return "RECV " + bytes + " B";
  }
}
