package io.roceverbs.verbs;

/**
 * Feature of a device: one bit of {@code device_cap_flags} in {@code struct ibv_device_attr},
 * {@code enum ibv_device_cap_flags} (kernel {@code enum ib_device_cap_flags}).
 *
 * <p>Bits from 32 up are found in {@code device_cap_flags_ex} of ibv_query_device_ex(3); here one
 * 64-bit mask holds all. There is no bit for LOCAL_INV or SEND_WITH_INV alone: {@link
 * #MEM_MGT_EXTENSIONS} promises the whole set.
 *
 * <p>Source: rdma-core {@code libibverbs/verbs.h}, Linux {@code include/rdma/ib_verbs.h}.
 */
public enum DeviceCapability {
  /** Queue pairs can be resized (Linux offers no way to ask for it). */
  RESIZE_MAX_WR(0),

  /** The port counts packets with a wrong partition key. */
  BAD_PKEY_CNTR(1),

  /** The port counts packets with a wrong queue key. */
  BAD_QKEY_CNTR(2),

  /** Automatic path migration; never on RoCE, whatever the bit says. */
  AUTO_PATH_MIG(4),

  /** A queue pair can move to another port in SQD. */
  CHANGE_PHY_PORT(5),

  /** The port of an address vector must be that of the queue pair. */
  UD_AV_PORT_ENFORCE(6),

  /** The attribute CUR_STATE is honoured. */
  CURR_QP_STATE_MOD(7),

  /** The event PORT_ACTIVE is raised. */
  PORT_ACTIVE_EVENT(10),

  /** The device has a system image GUID. */
  SYS_IMAGE_GUID(11),

  /** The responder makes RNR NAKs. */
  RC_RNR_NAK_GEN(12),

  /** Shared receive queues can be resized. */
  SRQ_RESIZE(13),

  /** A completion queue can notify after N entries. */
  N_NOTIFY_CQ(14),

  /** Memory windows of type 1. */
  MEM_WINDOW(17),

  /** Checksum offload on datagram queue pairs. */
  UD_IP_CSUM(18),

  /** Extended reliable connections. */
  XRC(20),

  /** REG_MR, LOCAL_INV, SEND_WITH_INV and remote invalidation, all of them. */
  MEM_MGT_EXTENSIONS(21),

  /** Memory windows of type 2A. */
  MEM_WINDOW_TYPE_2A(23),

  /** Memory windows of type 2B. */
  MEM_WINDOW_TYPE_2B(24),

  /** Checksum offload on connected queue pairs. */
  RC_IP_CSUM(25),

  /** Checksum offload on raw packet queue pairs. */
  RAW_IP_CSUM(26),

  /** Flow steering rules. */
  MANAGED_FLOW_STEERING(29),

  /** FLUSH to global visibility. */
  FLUSH_GLOBAL(38),

  /** FLUSH to persistence. */
  FLUSH_PERSISTENT(39),

  /** ATOMIC_WRITE of 8 bytes. */
  ATOMIC_WRITE(40);

  private final int bit;

  DeviceCapability(int bit) {
    this.bit = bit;
  }

  /** {@return a mask with exactly one bit set} */
  public long mask() {
    return 1L << bit;
  }
}
