package io.roceverbs.sim.fault;

import java.util.Arrays;

/** A kind of verbs object that a device gives out; its text form is the name of its type. */
public enum ResourceKind {
  /** An open device: {@code ibv_open_device()}. */
  DEVICE_CONTEXT("DeviceContext"),

  /** A protection domain: {@code ibv_alloc_pd()}. */
  PROTECTION_DOMAIN("ProtectionDomain"),

  /** A thread domain: {@code ibv_alloc_td()}. */
  THREAD_DOMAIN("ThreadDomain"),

  /** A completion queue: {@code ibv_create_cq()}. */
  COMPLETION_QUEUE("CompletionQueue"),

  /** A queue pair: {@code ibv_create_qp()}. */
  QUEUE_PAIR("QueuePair"),

  /** A memory region: {@code ibv_reg_mr()}. */
  MEMORY_REGION("MemoryRegion"),

  /** A region for registration by work requests: kernel {@code ib_alloc_mr()}. */
  FAST_REGISTRATION_REGION("FastRegistrationRegion"),

  /** A shared receive queue: {@code ibv_create_srq()}. */
  SHARED_RECEIVE_QUEUE("SharedReceiveQueue"),

  /** An address handle: {@code ibv_create_ah()}. */
  ADDRESS_HANDLE("AddressHandle"),

  /** A completion channel: {@code ibv_create_comp_channel()}. */
  COMPLETION_CHANNEL("CompletionChannel"),

  /** A memory window: {@code ibv_alloc_mw()}. */
  MEMORY_WINDOW("MemoryWindow"),

  /** Device memory: {@code ibv_alloc_dm()}. */
  DEVICE_MEMORY("DeviceMemory"),

  /** A domain for extended connections: {@code ibv_open_xrcd()}. */
  XRC_DOMAIN("XrcDomain");

  private final String typeName;

  ResourceKind(String typeName) {
    this.typeName = typeName;
  }

  static ResourceKind parse(String text) {
    for (ResourceKind kind : values()) {
      if (kind.typeName.equals(text)) {
        return kind;
      }
    }
    throw new IllegalArgumentException(
        "kind \"" + text + "\" is unknown; legal are " + Arrays.toString(values()));
  }

  /** The name of its type in the verbs interface. */
  @Override
  public String toString() {
    return typeName;
  }
}
