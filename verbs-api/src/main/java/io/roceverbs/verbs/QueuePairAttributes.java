package io.roceverbs.verbs;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;

/**
 * Attributes of a queue pair together with their mask: {@code struct ibv_qp_attr} and the {@code
 * int attr_mask} beside it, kernel {@code struct ib_qp_attr}.
 *
 * <p>In C a value whose mask bit is forgotten is ignored in silence, and a bit without a value
 * brings garbage. Here each setter of the builder sets value and bit together, and reading an
 * attribute that is not in the mask throws an IllegalStateException that lists what is.
 *
 * <p>The builder refuses what does not fit into the C field (IllegalArgumentException). A value
 * that fits and is wrong is EINVAL at {@link QueuePair#modify}.
 *
 * <p>Immutable, so it may be passed between threads; two objects with the same mask and values are
 * equal.
 *
 * <p>Source: ibv_modify_qp(3), ibv_query_qp(3).
 */
public final class QueuePairAttributes {
  private final Map<QueuePairAttribute, Object> values;
  private final boolean sendQueueDraining;

  private QueuePairAttributes(Map<QueuePairAttribute, Object> values, boolean sendQueueDraining) {
    this.values = Collections.unmodifiableMap(copyOf(values));
    this.sendQueueDraining = sendQueueDraining;
  }

  private static Map<QueuePairAttribute, Object> copyOf(Map<QueuePairAttribute, Object> values) {
    Map<QueuePairAttribute, Object> copy = new EnumMap<>(QueuePairAttribute.class);
    copy.putAll(values);
    return copy;
  }

  /**
   * Begins with an empty mask.
   *
   * @return a builder
   */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Begins with the state to enter.
   *
   * @param state the target of the transition
   * @return a builder whose mask holds STATE
   */
  public static Builder to(QueuePairState state) {
    return builder().state(state);
  }

  /**
   * Begins with all that is set here.
   *
   * @return a builder with the same mask and values
   */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.values.putAll(values);
    builder.sendQueueDraining = sendQueueDraining;
    return builder;
  }

  /**
   * Returns a copy in which some attributes are not set.
   *
   * @param attributes what to leave out, set or not
   * @return the same if none of them is set
   */
  public QueuePairAttributes without(Set<QueuePairAttribute> attributes) {
    if (Collections.disjoint(values.keySet(), attributes)) {
      return this;
    }
    Builder builder = toBuilder();
    builder.values.keySet().removeAll(attributes);
    return builder.build();
  }

  /**
   * Tells whether an attribute is set.
   *
   * @param attribute the attribute to look for
   * @return true if its bit is in the mask
   */
  public boolean has(QueuePairAttribute attribute) {
    return values.containsKey(attribute);
  }

  /** {@return the attributes that are set: an unmodifiable set in the order of the mask bits} */
  public Set<QueuePairAttribute> mask() {
    return values.keySet();
  }

  /** {@return the mask in the C ABI, the {@code attr_mask}} */
  public int maskBits() {
    return QueuePairAttribute.maskOf(values.keySet());
  }

  private <T> T require(QueuePairAttribute attribute, Class<T> type) {
    Object value = values.get(attribute);
    if (value == null) {
      throw new IllegalStateException(
          attribute + " is not set; set are " + values.keySet() + ", ask has(...) first");
    }
    return type.cast(value);
  }

  /** {@return the {@code qp_state}: the state to enter, in a query the present one} */
  public QueuePairState state() {
    return require(QueuePairAttribute.STATE, QueuePairState.class);
  }

  /**
   * {@return the {@code cur_qp_state}: the state the queue pair is believed, or in a query known,
   * to be in}
   */
  public QueuePairState currentState() {
    return require(QueuePairAttribute.CUR_STATE, QueuePairState.class);
  }

  /** {@return the {@code en_sqd_async_notify}: whether the end of the drain raises SQ_DRAINED} */
  public boolean enableSqdNotification() {
    return require(QueuePairAttribute.EN_SQD_ASYNC_NOTIFY, Boolean.class);
  }

  /** {@return the {@code qp_access_flags}: what the peer may do} */
  public AccessFlags access() {
    return require(QueuePairAttribute.ACCESS_FLAGS, AccessFlags.class);
  }

  /** {@return the {@code pkey_index}: an index into the port's partition key table} */
  public int partitionKeyIndex() {
    return require(QueuePairAttribute.PKEY_INDEX, Integer.class);
  }

  /** {@return the {@code port_num}: a port of the device, counted from 1} */
  public int port() {
    return require(QueuePairAttribute.PORT, Integer.class);
  }

  /** {@return the {@code qkey}: 32 bits that a datagram must carry} */
  public int queueKey() {
    return require(QueuePairAttribute.QKEY, Integer.class);
  }

  /** {@return the {@code ah_attr}: the way to the peer} */
  public AddressVector addressVector() {
    return require(QueuePairAttribute.AV, AddressVector.class);
  }

  /** {@return the {@code path_mtu}: the largest payload of one packet} */
  public PathMtu pathMtu() {
    return require(QueuePairAttribute.PATH_MTU, PathMtu.class);
  }

  /**
   * {@return the {@code timeout}: the code of the acknowledgement timeout, 4.096 us * 2^code, 0 for
   * none}
   */
  public int timeout() {
    return require(QueuePairAttribute.TIMEOUT, Integer.class);
  }

  /** {@return the {@code retry_cnt}: how many tries follow the first one} */
  public int retryCount() {
    return require(QueuePairAttribute.RETRY_CNT, Integer.class);
  }

  /** {@return the {@code rnr_retry}: how many RNR NAKs are put up with, 7 for ever} */
  public int rnrRetry() {
    return require(QueuePairAttribute.RNR_RETRY, Integer.class);
  }

  /** {@return the {@code rq_psn}: the 24-bit packet sequence number expected from the peer} */
  public int receivePsn() {
    return require(QueuePairAttribute.RQ_PSN, Integer.class);
  }

  /**
   * {@return the {@code max_rd_atomic}: how many READ and atomic requests of this side are in
   * flight at most}
   */
  public int maxReadAtomic() {
    return require(QueuePairAttribute.MAX_QP_RD_ATOMIC, Integer.class);
  }

  /** {@return the {@code alt_ah_attr}: the alternate path} */
  public AddressVector alternatePath() {
    return require(QueuePairAttribute.ALT_PATH, AddressVector.class);
  }

  /**
   * {@return the {@code min_rnr_timer}: the code that an RNR NAK of this side carries, 0 for the
   * longest time}
   */
  public int minRnrTimer() {
    return require(QueuePairAttribute.MIN_RNR_TIMER, Integer.class);
  }

  /** {@return the {@code sq_psn}: the next 24-bit packet sequence number of this side} */
  public int sendPsn() {
    return require(QueuePairAttribute.SQ_PSN, Integer.class);
  }

  /**
   * {@return the {@code max_dest_rd_atomic}: how many READ and atomic requests of the peer this
   * side can hold}
   */
  public int maxDestinationReadAtomic() {
    return require(QueuePairAttribute.MAX_DEST_RD_ATOMIC, Integer.class);
  }

  /** {@return the {@code path_mig_state}: the state of path migration} */
  public PathMigrationState pathMigrationState() {
    return require(QueuePairAttribute.PATH_MIG_STATE, PathMigrationState.class);
  }

  /** {@return the {@code cap}: the sizes of the queues} */
  public QueuePairCapacities capacities() {
    return require(QueuePairAttribute.CAP, QueuePairCapacities.class);
  }

  /** {@return the {@code dest_qp_num}: the number of the peer's queue pair} */
  public int destinationQueuePairNumber() {
    return require(QueuePairAttribute.DEST_QPN, Integer.class);
  }

  /** {@return the {@code rate_limit}: packet pacing in kbit/s} */
  public int rateLimit() {
    return require(QueuePairAttribute.RATE_LIMIT, Integer.class);
  }

  /**
   * Tells whether a send queue drain is under way. Only a query gives it; it has no bit in the
   * mask.
   *
   * @return the {@code sq_draining}: true in SQD until the started requests have completed
   */
  public boolean sendQueueDraining() {
    return sendQueueDraining;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof QueuePairAttributes attributes
        && attributes.sendQueueDraining == sendQueueDraining
        && attributes.values.equals(values);
  }

  @Override
  public int hashCode() {
    return 31 * values.hashCode() + Boolean.hashCode(sendQueueDraining);
  }

  /** Returns the attributes that are set, in the order of the mask bits, with their values. */
  @Override
  public String toString() {
    return "QueuePairAttributes" + values + (sendQueueDraining ? " draining" : "");
  }

  /** Collects values and mask bits. Not thread-safe. */
  public static final class Builder {
    private static final int UINT8_MAX = 0xff;
    private static final int UINT16_MAX = 0xffff;

    private final Map<QueuePairAttribute, Object> values = new EnumMap<>(QueuePairAttribute.class);
    private boolean sendQueueDraining;

    private Builder() {}

    /**
     * Sets STATE.
     *
     * @param state the state to enter
     * @return this builder
     */
    public Builder state(QueuePairState state) {
      return put(QueuePairAttribute.STATE, state);
    }

    /**
     * Sets CUR_STATE.
     *
     * @param state the state the caller believes the queue pair to be in; EINVAL if it is in
     *     another one
     * @return this builder
     */
    public Builder currentState(QueuePairState state) {
      return put(QueuePairAttribute.CUR_STATE, state);
    }

    /**
     * Sets EN_SQD_ASYNC_NOTIFY.
     *
     * @param enable whether the end of the drain raises SQ_DRAINED
     * @return this builder
     */
    public Builder enableSqdNotification(boolean enable) {
      return put(QueuePairAttribute.EN_SQD_ASYNC_NOTIFY, enable);
    }

    /**
     * Sets ACCESS_FLAGS.
     *
     * @param flags what the peer may do: REMOTE_WRITE, REMOTE_READ, REMOTE_ATOMIC
     * @return this builder
     */
    public Builder access(AccessFlags flags) {
      return put(QueuePairAttribute.ACCESS_FLAGS, flags);
    }

    /**
     * Sets ACCESS_FLAGS.
     *
     * @param flags what the peer may do; none forbids everything
     * @return this builder
     */
    public Builder access(AccessFlag... flags) {
      return access(AccessFlags.of(flags));
    }

    /**
     * Sets PKEY_INDEX.
     *
     * @param index index into the port's partition key table, 0 to 65535
     * @return this builder
     * @throws IllegalArgumentException if the number does not fit into 16 bits
     */
    public Builder partitionKeyIndex(int index) {
      return put(
          QueuePairAttribute.PKEY_INDEX, fitting(QueuePairAttribute.PKEY_INDEX, index, UINT16_MAX));
    }

    /**
     * Sets PORT.
     *
     * @param number port of the device, counted from 1
     * @return this builder
     * @throws IllegalArgumentException if the number does not fit into 8 bits
     */
    public Builder port(int number) {
      return put(QueuePairAttribute.PORT, fitting(QueuePairAttribute.PORT, number, UINT8_MAX));
    }

    /**
     * Sets QKEY.
     *
     * @param key 32 bits that a datagram must carry
     * @return this builder
     */
    public Builder queueKey(int key) {
      return put(QueuePairAttribute.QKEY, key);
    }

    /**
     * Sets AV.
     *
     * @param address the way to the peer
     * @return this builder
     */
    public Builder addressVector(AddressVector address) {
      return put(QueuePairAttribute.AV, address);
    }

    /**
     * Sets PATH_MTU.
     *
     * @param mtu largest payload of one packet, not above the port's active MTU
     * @return this builder
     */
    public Builder pathMtu(PathMtu mtu) {
      return put(QueuePairAttribute.PATH_MTU, mtu);
    }

    /**
     * Sets TIMEOUT.
     *
     * @param code 0 to 31: wait 4.096 us * 2^code for an acknowledgement, 0 for ever; above 31
     *     EINVAL
     * @return this builder
     * @throws IllegalArgumentException if the number does not fit into 8 bits
     */
    public Builder timeout(int code) {
      return put(QueuePairAttribute.TIMEOUT, fitting(QueuePairAttribute.TIMEOUT, code, UINT8_MAX));
    }

    /**
     * Sets RETRY_CNT.
     *
     * @param count 0 to 7: tries after the first one without progress; above 7 EINVAL
     * @return this builder
     * @throws IllegalArgumentException if the number does not fit into 8 bits
     */
    public Builder retryCount(int count) {
      return put(
          QueuePairAttribute.RETRY_CNT, fitting(QueuePairAttribute.RETRY_CNT, count, UINT8_MAX));
    }

    /**
     * Sets RNR_RETRY.
     *
     * @param count 0 to 7: RNR NAKs to put up with, 7 for ever; above 7 EINVAL
     * @return this builder
     * @throws IllegalArgumentException if the number does not fit into 8 bits
     */
    public Builder rnrRetry(int count) {
      return put(
          QueuePairAttribute.RNR_RETRY, fitting(QueuePairAttribute.RNR_RETRY, count, UINT8_MAX));
    }

    /**
     * Sets RQ_PSN.
     *
     * @param psn 24 bits: first packet sequence number of the peer; higher bits are dropped
     * @return this builder
     */
    public Builder receivePsn(int psn) {
      return put(QueuePairAttribute.RQ_PSN, psn);
    }

    /**
     * Sets MAX_QP_RD_ATOMIC.
     *
     * @param count READ and atomic requests in flight from this side, 0 to 255; more wait
     * @return this builder
     * @throws IllegalArgumentException if the number does not fit into 8 bits
     */
    public Builder maxReadAtomic(int count) {
      return put(
          QueuePairAttribute.MAX_QP_RD_ATOMIC,
          fitting(QueuePairAttribute.MAX_QP_RD_ATOMIC, count, UINT8_MAX));
    }

    /**
     * Sets ALT_PATH.
     *
     * @param address the alternate path; EINVAL on RoCE
     * @return this builder
     */
    public Builder alternatePath(AddressVector address) {
      return put(QueuePairAttribute.ALT_PATH, address);
    }

    /**
     * Sets MIN_RNR_TIMER.
     *
     * @param code 0 to 31, the code that an RNR NAK of this side carries: 1 is 10 us, 12 is 640 us,
     *     31 is 491.52 ms, and 0 is the longest, 655.36 ms
     * @return this builder
     * @throws IllegalArgumentException if the number does not fit into 8 bits
     */
    public Builder minRnrTimer(int code) {
      return put(
          QueuePairAttribute.MIN_RNR_TIMER,
          fitting(QueuePairAttribute.MIN_RNR_TIMER, code, UINT8_MAX));
    }

    /**
     * Sets SQ_PSN.
     *
     * @param psn 24 bits: first packet sequence number of this side; higher bits are dropped
     * @return this builder
     */
    public Builder sendPsn(int psn) {
      return put(QueuePairAttribute.SQ_PSN, psn);
    }

    /**
     * Sets MAX_DEST_RD_ATOMIC.
     *
     * @param count READ and atomic requests of the peer that this side can hold, 0 to 255; with 0
     *     any of them is an invalid request
     * @return this builder
     * @throws IllegalArgumentException if the number does not fit into 8 bits
     */
    public Builder maxDestinationReadAtomic(int count) {
      return put(
          QueuePairAttribute.MAX_DEST_RD_ATOMIC,
          fitting(QueuePairAttribute.MAX_DEST_RD_ATOMIC, count, UINT8_MAX));
    }

    /**
     * Sets PATH_MIG_STATE.
     *
     * @param state state of path migration
     * @return this builder
     */
    public Builder pathMigrationState(PathMigrationState state) {
      return put(QueuePairAttribute.PATH_MIG_STATE, state);
    }

    /**
     * Sets CAP.
     *
     * @param sizes new sizes; no transition takes them, so EINVAL
     * @return this builder
     */
    public Builder capacities(QueuePairCapacities sizes) {
      return put(QueuePairAttribute.CAP, sizes);
    }

    /**
     * Sets DEST_QPN.
     *
     * @param number 24 bits: number of the peer's queue pair; more is EINVAL
     * @return this builder
     */
    public Builder destinationQueuePairNumber(int number) {
      return put(QueuePairAttribute.DEST_QPN, number);
    }

    /**
     * Sets RATE_LIMIT.
     *
     * @param kilobitsPerSecond packet pacing in kbit/s; no move of an RC queue pair takes it
     *     (EINVAL)
     * @return this builder
     */
    public Builder rateLimit(int kilobitsPerSecond) {
      return put(QueuePairAttribute.RATE_LIMIT, kilobitsPerSecond);
    }

    /**
     * Tells whether a send queue drain is under way; for providers that answer a query.
     *
     * @param draining the {@code sq_draining}
     * @return this builder
     */
    public Builder sendQueueDraining(boolean draining) {
      sendQueueDraining = draining;
      return this;
    }

    /**
     * Makes the attributes. The builder may be used further.
     *
     * @return the attributes set so far
     */
    public QueuePairAttributes build() {
      return new QueuePairAttributes(values, sendQueueDraining);
    }

    private Builder put(QueuePairAttribute attribute, Object value) {
      values.put(attribute, value);
      return this;
    }

    private static int fitting(QueuePairAttribute attribute, int value, int max) {
      if (value < 0 || value > max) {
        throw new IllegalArgumentException(
            attribute + " is " + value + ", the field holds 0 to " + max);
      }
      return value;
    }
  }
}
