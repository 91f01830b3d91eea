package io.roceverbs.verbs;

/**
 * Sizes of a queue pair: {@code struct ibv_qp_cap}, kernel {@code struct ib_qp_cap}.
 *
 * <p>At creation they are a request; {@link QueuePair#init()} tells what was given, which may be
 * more. More than the device offers is EINVAL at creation.
 *
 * <p>Source: ibv_create_qp(3).
 *
 * @param maxSendRequests {@code max_send_wr}: outstanding send requests; a slot is free again when
 *     the completion of its request, or of a later one of the queue, has been polled
 * @param maxReceiveRequests {@code max_recv_wr}: outstanding receives
 * @param maxSendSegments {@code max_send_sge}: segments in one send request
 * @param maxReceiveSegments {@code max_recv_sge}: segments in one receive
 * @param maxInlineBytes {@code max_inline_data}: bytes of inline data in one send request
 */
public record QueuePairCapacities(
    int maxSendRequests,
    int maxReceiveRequests,
    int maxSendSegments,
    int maxReceiveSegments,
    int maxInlineBytes) {
  /**
   * Checks that no size is negative.
   *
   * @param maxSendRequests as the component
   * @param maxReceiveRequests as the component
   * @param maxSendSegments as the component
   * @param maxReceiveSegments as the component
   * @param maxInlineBytes as the component
   * @throws IllegalArgumentException if a size is negative
   */
  public QueuePairCapacities {
    if ((maxSendRequests
            | maxReceiveRequests
            | maxSendSegments
            | maxReceiveSegments
            | maxInlineBytes)
        < 0) {
      throw new IllegalArgumentException(
          "capacities count from 0, but one is negative: send requests "
              + maxSendRequests
              + ", receive requests "
              + maxReceiveRequests
              + ", send segments "
              + maxSendSegments
              + ", receive segments "
              + maxReceiveSegments
              + ", inline bytes "
              + maxInlineBytes);
    }
  }
}
