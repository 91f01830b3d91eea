package io.roceverbs.verbs;

/**
 * Feature of a port: one bit of {@code port_cap_flags} in {@code struct ibv_port_attr}, {@code enum
 * ibv_port_cap_flags}.
 *
 * <p>Source: rdma-core {@code libibverbs/verbs.h}.
 */
public enum PortCapability {
  /** Its subnet manager runs behind this port (InfiniBand). */
  SM(1),

  /** Sends notices. */
  NOTICE_SUP(2),

  /** Sends traps. */
  TRAP_SUP(3),

  /** Keeps optional gaps between packets. */
  OPT_IPD_SUP(4),

  /** Migrates paths by itself. */
  AUTO_MIGR_SUP(5),

  /** Maps service levels to lanes. */
  SL_MAP_SUP(6),

  /** Keeps its management key without power. */
  MKEY_NVRAM(7),

  /** Keeps its partition keys without power. */
  PKEY_NVRAM(8),

  /** Tells about its light. */
  LED_INFO_SUP(9),

  /** Has a system image GUID. */
  SYS_IMAGE_GUID_SUP(11),

  /** Sends traps for partition keys of external switch ports. */
  PKEY_SW_EXT_PORT_TRAP_SUP(12),

  /** Knows the speeds from FDR up. */
  EXTENDED_SPEEDS_SUP(14),

  /** Has a second mask of capabilities. */
  CAP_MASK2_SUP(15),

  /** Takes part in connection management. */
  CM_SUP(16),

  /** Tunnels SNMP. */
  SNMP_TUNNEL_SUP(17),

  /** Can be initialized again. */
  REINIT_SUP(18),

  /** Takes part in device management. */
  DEVICE_MGMT_SUP(19),

  /** Takes classes of its vendor. */
  VENDOR_CLASS_SUP(20),

  /** Sends notices with directed routes. */
  DR_NOTICE_SUP(21),

  /** Sends a notice when this mask changes. */
  CAP_MASK_NOTICE_SUP(22),

  /** Takes part in boot management. */
  BOOT_MGMT_SUP(23),

  /** Tells the latency of its link. */
  LINK_LATENCY_SUP(24),

  /** Can ask clients to register again. */
  CLIENT_REG_SUP(25),

  /** Its GIDs are made from IP addresses. */
  IP_BASED_GIDS(26);

  private final int bit;

  PortCapability(int bit) {
    this.bit = bit;
  }

  /** {@return a mask with exactly one bit set} */
  public int mask() {
    return 1 << bit;
  }
}
