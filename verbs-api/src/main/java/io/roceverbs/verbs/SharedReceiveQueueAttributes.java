package io.roceverbs.verbs;

/**
 * Sizes and limit of a shared receive queue: {@code struct ibv_srq_attr}, kernel {@code struct
 * ib_srq_attr}.
 *
 * <p>Source: ibv_query_srq(3).
 *
 * @param maxRequests {@code max_wr}: receives at a time
 * @param maxSegments {@code max_sge}: segments in one receive
 * @param limit {@code srq_limit}: the event comes when fewer receives wait; 0 if none is asked for
 */
public record SharedReceiveQueueAttributes(int maxRequests, int maxSegments, int limit) {}
