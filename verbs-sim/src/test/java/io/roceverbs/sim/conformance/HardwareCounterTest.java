package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.roceverbs.sim.HardwareCounter;
import io.roceverbs.sim.HardwareCounters;
import io.roceverbs.verbs.SendRequest;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a device counts, under the names that Linux gives it. */
class HardwareCounterTest {
  private static final int BAD_KEY = 0x7777_7777;

  private final Pair pair = Pair.connected();

  @AfterEach
  void closeFabric() {
    pair.close();
  }

  private Map<String, Long> ofA() {
    return pair.a.node.hardwareCounters().nonZero();
  }

  private Map<String, Long> ofB() {
    return pair.b.node.hardwareCounters().nonZero();
  }

  private void postWrite(long id, int bytes, int rkey, long address) {
    Side.Memory data = pair.a.memory(bytes, 1);
    pair.a.queuePair.post(
        pair.a
            .request
            .reset(id)
            .rdmaWrite(address, rkey)
            .segment(data.region(), 0, bytes)
            .signaled());
  }

  private void postWrite(long id, int bytes) {
    Side.Memory landing = pair.b.memory(bytes, 0);
    postWrite(id, bytes, landing.rkey(), landing.address());
  }

  private void postRead(long id, int bytes) {
    Side.Memory landing = pair.a.memory(bytes, 0);
    Side.Memory data = pair.b.memory(bytes, 1);
    pair.a.queuePair.post(
        pair.a
            .request
            .reset(id)
            .rdmaRead(data.address(), data.rkey())
            .segment(landing.region(), 0, bytes)
            .signaled());
  }

  @Test
  void whatGoesWellCountsRequestsAndPackets() {
    pair.b.postEmptyReceive(1);
    pair.a.queuePair.post(new SendRequest().reset(1).send().signaled());
    postWrite(2, 3000);
    postRead(3, 3000);
    Side.Memory word = pair.b.memory(8, 0);
    pair.a.queuePair.post(
        pair.a
            .request
            .reset(4)
            .fetchAndAdd(word.address(), word.rkey(), 1)
            .segment(pair.a.memory(8, 0).region(), 0, 8)
            .signaled());
    pair.run();
    assertThat(ofA())
        .containsExactly(
            Map.entry("sent_pkts", 6L), Map.entry("rcvd_pkts", 6L), Map.entry("rdma_sends", 1L));
    assertThat(ofB())
        .containsExactly(
            Map.entry("rx_write_requests", 1L),
            Map.entry("rx_read_requests", 1L),
            Map.entry("rx_atomic_requests", 1L),
            Map.entry("sent_pkts", 6L),
            Map.entry("rcvd_pkts", 6L),
            Map.entry("rdma_recvs", 1L));
  }

  @Test
  void aLostAcknowledgementCostsATimeoutAndADuplicate() {
    pair.impair("drop:b>a/ACK#1");
    postWrite(1, 8);
    pair.run();
    assertThat(ofA())
        .containsExactly(
            Map.entry("local_ack_timeout_err", 1L),
            Map.entry("sent_pkts", 2L),
            Map.entry("rcvd_pkts", 1L),
            Map.entry("completer_retry_err", 1L));
    assertThat(ofB())
        .containsExactly(
            Map.entry("rx_write_requests", 1L),
            Map.entry("duplicate_request", 1L),
            Map.entry("sent_pkts", 2L),
            Map.entry("rcvd_pkts", 2L));
  }

  @Test
  void aGapCountsEachRequestAheadAndTheOneNak() {
    pair.impair("drop:a>b/WRITE#2");
    postWrite(1, 5 * 1024);
    pair.run();
    // Packets 3 to 5 come ahead of the second one; then 2 to 5 come again.
    assertThat(ofB())
        .containsExactly(
            Map.entry("rx_write_requests", 1L),
            Map.entry("out_of_sequence", 3L),
            Map.entry("sent_pkts", 2L),
            Map.entry("rcvd_pkts", 8L),
            Map.entry("out_of_seq_request", 1L));
    assertThat(ofA())
        .containsExactly(
            Map.entry("packet_seq_err", 1L),
            Map.entry("sent_pkts", 9L),
            Map.entry("rcvd_pkts", 2L),
            Map.entry("rcvd_seq_err", 1L),
            Map.entry("completer_retry_err", 1L));
  }

  @Test
  void aLostReadResponseIsAnImpliedNak() {
    pair.impair("drop:b>a/READ_RESPONSE#1");
    postRead(1, 8);
    postWrite(2, 8);
    pair.run();
    HardwareCounters counters = pair.a.node.hardwareCounters();
    assertThat(counters.get("implied_nak_seq_err")).isEqualTo(1);
    assertThat(counters.get("local_ack_timeout_err")).isZero();
    assertThat(counters.get("completer_retry_err")).isEqualTo(1);
    assertThat(pair.b.node.hardwareCounters().get(HardwareCounter.DUPLICATE_REQUEST)).isEqualTo(2);
    assertThat(pair.b.node.hardwareCounters().get(HardwareCounter.RX_READ_REQUESTS)).isEqualTo(1);
  }

  @Test
  void aMissingReceiveCountsOnBothSides() {
    pair.a.queuePair.post(new SendRequest().reset(1).send().signaled());
    pair.a.queuePair.post(new SendRequest().reset(2).send().signaled());
    pair.run();
    assertThat(ofA())
        .containsExactly(
            Map.entry("rnr_nak_retry_err", 4L),
            Map.entry("req_cqe_error", 2L),
            Map.entry("req_cqe_flush_error", 1L),
            Map.entry("req_rnr_retries_exceeded", 1L),
            Map.entry("sent_pkts", 8L),
            Map.entry("rcvd_pkts", 4L),
            Map.entry("rcvd_rnr_err", 4L),
            Map.entry("retry_rnr_exceeded_err", 1L));
    assertThat(pair.b.node.hardwareCounters().get("out_of_buffer")).isEqualTo(4);
    assertThat(pair.b.node.hardwareCounters().get("send_rnr_err")).isEqualTo(4);
    assertThat(pair.b.node.hardwareCounters().get("out_of_sequence")).isEqualTo(4);
    assertThat(pair.b.node.hardwareCounters().get("out_of_seq_request")).isZero();
  }

  @Test
  void aBadKeyCountsOnBothSidesAndItsFlushesToo() {
    pair.b.postEmptyReceive(1);
    pair.b.postEmptyReceive(2);
    postWrite(1, 8, BAD_KEY, 0x1000);
    pair.run();
    assertThat(ofA())
        .containsExactly(
            Map.entry("req_cqe_error", 1L),
            Map.entry("req_remote_access_errors", 1L),
            Map.entry("sent_pkts", 1L),
            Map.entry("rcvd_pkts", 1L));
    assertThat(ofB())
        .containsExactly(
            Map.entry("rx_write_requests", 1L),
            Map.entry("resp_cqe_error", 2L),
            Map.entry("resp_remote_access_errors", 1L),
            Map.entry("resp_cqe_flush_error", 2L),
            Map.entry("sent_pkts", 1L),
            Map.entry("rcvd_pkts", 1L));
  }

  @Test
  void aMessageThatIsTooLongIsALengthErrorThere() {
    pair.b.postEmptyReceive(1);
    pair.a.postSend(1, pair.a.memory(8, 1));
    pair.run();
    assertThat(pair.a.node.hardwareCounters().get("req_remote_invalid_request")).isEqualTo(1);
    assertThat(pair.b.node.hardwareCounters().get("resp_local_length_error")).isEqualTo(1);
    assertThat(pair.b.node.hardwareCounters().get("resp_cqe_error")).isEqualTo(1);
    assertThat(pair.b.node.hardwareCounters().get("resp_cqe_flush_error")).isZero();
  }

  @Test
  void anOutageCountsTheLinkAndTheRetries() {
    pair.b.node.linkDown();
    postWrite(1, 8);
    pair.run();
    pair.b.node.linkUp();
    pair.b.node.linkDown();
    assertThat(ofA())
        .containsExactly(
            Map.entry("local_ack_timeout_err", 4L),
            Map.entry("req_cqe_error", 1L),
            Map.entry("req_transport_retries_exceeded", 1L),
            Map.entry("sent_pkts", 4L),
            Map.entry("retry_exceeded_err", 1L),
            Map.entry("completer_retry_err", 3L));
    assertThat(ofB()).containsExactly(Map.entry("link_downed", 2L));
  }

  @Test
  void aCounterThatThereIsNotIsNamedWithThoseThatThereAre() {
    HardwareCounters counters = pair.a.node.hardwareCounters();
    assertThat(counters).hasToString("{}");
    assertThatThrownBy(() -> counters.get("rx_dct_connect"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(
            "there is no counter \"rx_dct_connect\"; the counters are [rx_write_requests,");
    for (HardwareCounter counter : HardwareCounter.values()) {
      assertThat(counter.linuxName()).isEqualTo(counter.name().toLowerCase(java.util.Locale.ROOT));
      assertThat(counters.get(counter.linuxName())).isZero();
    }
  }
}
