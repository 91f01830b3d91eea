package io.roceverbs.sim.qp;

import io.roceverbs.sim.memory.KeyFault;
import io.roceverbs.sim.memory.KeyTable;
import io.roceverbs.verbs.CompletionStatus;
import io.roceverbs.verbs.SendOpcode;
import java.util.Locale;

/** The requests that send nothing: registrations and invalidations of keys on this side. */
final class LocalOperations {
  private final QueuePairEngine engine;
  private final KeyTable keys;
  private final int domain;

  LocalOperations(QueuePairEngine engine, KeyTable keys, int domain) {
    this.engine = engine;
    this.keys = keys;
    this.domain = domain;
  }

  KeyFault execute(long nowNanos, SendWork work) {
    boolean invalidates = work.opcode() == SendOpcode.LOCAL_INV;
    int key = work.invalidateKey();
    KeyFault fault =
        invalidates
            ? keys.invalidate(key, domain, false)
            : keys.register(
                work.registration(), domain, key, work.registrationAccess(), work.mapping());
    if (fault == KeyFault.NONE) {
      engine.keyChanged(nowNanos, key, !invalidates, work.opcode().toString());
    }
    return fault;
  }

  /** How a failed operation completes. */
  CompletionStatus status(SendWork work, KeyFault fault) {
    return CompletionStatus.MW_BIND_ERR;
  }

  /** Says in words what a failed operation hit. */
  static String describe(SendWork work, KeyFault fault) {
    return String.format(
        Locale.ROOT, "%s of key 0x%08x: %s", work.opcode(), work.invalidateKey(), fault.text());
  }
}
