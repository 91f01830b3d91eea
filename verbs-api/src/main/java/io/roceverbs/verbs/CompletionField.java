package io.roceverbs.verbs;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * A field of a completion that an {@link ExtendedCompletionQueue} gives only if it was asked for at
 * creation: {@code enum ibv_create_cq_wc_flags}.
 *
 * <p>Source: ibv_create_cq_ex(3), rdma-core {@code libibverbs/verbs.h}.
 */
public enum CompletionField {
  /** {@link ExtendedCompletionQueue#byteLength()}. */
  BYTE_LEN(1),

  /**
   * {@link ExtendedCompletionQueue#immediate()} and {@link
   * ExtendedCompletionQueue#invalidatedRkey()}, which share a field.
   */
  IMM(1 << 1),

  /** {@link ExtendedCompletionQueue#queuePairNumber()}. */
  QP_NUM(1 << 2),

  /** {@link ExtendedCompletionQueue#sourceQueuePairNumber()}. */
  SRC_QP(1 << 3),

  /** {@link ExtendedCompletionQueue#sourceLocalIdentifier()}. */
  SLID(1 << 4),

  /** {@link ExtendedCompletionQueue#serviceLevel()}. */
  SL(1 << 5),

  /** {@link ExtendedCompletionQueue#localIdentifierPathBits()}. */
  DLID_PATH_BITS(1 << 6),

  /** {@link ExtendedCompletionQueue#timestamp()}. */
  COMPLETION_TIMESTAMP(1 << 7),

  /** The VLAN tag that the adapter took out of a raw packet. */
  CVLAN(1 << 8),

  /** The tag of the flow rule that a packet matched. */
  FLOW_TAG(1 << 9),

  /** What tag matching knows about a message. */
  TM_INFO(1 << 10),

  /** {@link ExtendedCompletionQueue#wallclockNanos()}. */
  COMPLETION_TIMESTAMP_WALLCLOCK(1 << 11);

  private static final Set<CompletionField> STANDARD =
      Collections.unmodifiableSet(EnumSet.range(BYTE_LEN, DLID_PATH_BITS));

  private static final ValueTable<CompletionField> BY_VALUE =
      ValueTable.of(CompletionField.class, CompletionField::value);

  private final int value;

  CompletionField(int value) {
    this.value = value;
  }

  /**
   * {@return the fields that {@code struct ibv_wc} has too: {@code IBV_WC_STANDARD_FLAGS}}
   *
   * <p>The set is unmodifiable.
   */
  public static Set<CompletionField> standard() {
    return STANDARD;
  }

  /** {@return the number of this constant in the C ABI} */
  public int value() {
    return value;
  }

  /**
   * Finds a constant by its number in the C ABI.
   *
   * @param value the value from the C header
   * @return the constant with that value
   * @throws IllegalArgumentException if no constant has the value; the message lists the legal ones
   */
  public static CompletionField fromValue(int value) {
    return BY_VALUE.get(value);
  }
}
