package io.roceverbs.sim.diagram;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.trace.TraceEvent;
import io.roceverbs.sim.trace.TraceEvent.Completed;
import io.roceverbs.sim.trace.TraceEvent.CompletionEventRaised;
import io.roceverbs.sim.trace.TraceEvent.Noted;
import io.roceverbs.sim.trace.TraceEvent.PacketDelivered;
import io.roceverbs.sim.trace.TraceEvent.PacketDropped;
import io.roceverbs.sim.trace.TraceEvent.PacketMarked;
import io.roceverbs.sim.trace.TraceEvent.PacketSent;
import io.roceverbs.sim.trace.TraceEvent.Polled;
import io.roceverbs.sim.trace.TraceEvent.Posted;
import io.roceverbs.verbs.CompletionStatus;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class SequenceDiagramTextTest {
  private static final CompletionStatus SUCCESS = CompletionStatus.SUCCESS;

  private static String stored(String name) throws IOException {
    try (InputStream stream = SequenceDiagramTextTest.class.getResourceAsStream(name)) {
      byte[] bytes = Objects.requireNonNull(stream, name).readAllBytes();
      return new String(bytes, StandardCharsets.UTF_8);
    }
  }

  private static String textOf(List<String> nodes, TraceEvent... events) {
    return SequenceDiagram.of("title", nodes, List.of(events)).toText();
  }

  @Test
  void theLostAckStoryIsTold() throws IOException {
    SequenceDiagram diagram =
        SequenceDiagram.of(LostAckStory.TITLE, LostAckStory.NODES, LostAckStory.events());
    assertThat(diagram.toText()).isEqualTo(stored("lost-ack.txt"));
    assertThat(diagram.toText().lines()).allMatch(line -> line.length() <= 112);
  }

  @Test
  void theLostAckStoryIsToldInAscii() throws IOException {
    SequenceDiagram diagram =
        SequenceDiagram.of(LostAckStory.TITLE, LostAckStory.NODES, LostAckStory.events());
    String text = diagram.toText(TextStyle.ASCII);
    assertThat(text).isEqualTo(stored("lost-ack-ascii.txt")).isASCII();
  }

  @Test
  void packetsOnTheirWayTogetherShowDepartureAndArrival() throws IOException {
    String text = SequenceDiagram.of("", List.of("a", "b"), FaultyWindow.events()).toText();
    assertThat(text).isEqualTo(stored("faulty-window.txt"));
  }

  @Test
  void aPacketCrossesTheLanesOfTheNodesBetween() throws IOException {
    String text =
        textOf(
            List.of("left", "middle", "right"),
            new PacketSent(0, "left", 1, "right", 9, 1, "SEND_ONLY psn=0x000001", false, ""),
            new PacketDelivered(20_000, "right", 1),
            new Noted(20_000, "middle", "idle"),
            new Noted(20_000, "right", "served"));
    assertThat(text).isEqualTo(stored("three-nodes.txt"));
  }

  @Test
  void eventsOfANodeThatIsNotNamedAreNotDrawn() throws IOException {
    String text =
        textOf(
            List.of("host"),
            new Posted(0, "host", 4, true, 1, "SEND 8 B"),
            new PacketSent(10, "host", 1, "other", 9, 1, "SEND_ONLY psn=0x000001", false, ""),
            new PacketDelivered(1_000, "other", 1),
            new Noted(1_000, "other", "unseen"),
            new PacketSent(1_010, "other", 2, "host", 4, 1, "ACKNOWLEDGE psn=1", false, ""),
            new PacketDelivered(2_000, "host", 2),
            new PacketDelivered(2_100, "host", 77));
    assertThat(text).isEqualTo(stored("one-node.txt"));
  }

  @Test
  void aPacketToItsOwnNodeIsABox() {
    String text =
        textOf(
            List.of("host"),
            new PacketSent(0, "host", 1, "host", 4, 1, "SEND_ONLY psn=0x000001", false, ""),
            new PacketDelivered(500, "host", 1),
            new PacketSent(500, "host", 2, "host", 4, 1, "ACKNOWLEDGE", false, ""),
            new PacketDropped(500, "host", 2, "queue full"));
    assertThat(text)
        .contains("┃ to itself: SEND_ONLY psn=0x000001\n")
        .contains("┃ from itself: SEND_ONLY psn=0x000001\n")
        .contains("┃ ╳ lost: ACKNOWLEDGE\n")
        .contains("┃   queue full\n");
  }

  @Test
  void likeRequestsAtTheSameTimeAreOneStep() {
    String text =
        textOf(
            List.of("host"),
            new Posted(0, "host", 4, false, 1, "RECV"),
            new Posted(0, "host", 4, false, 2, "RECV"),
            new Posted(5, "host", 4, false, 3, "RECV"));
    assertThat(text).contains("── post wr 1–2 RECV ─").contains("── post wr 3 RECV ─");
  }

  @Test
  void aSendAndAReceiveOfOneIdAreToldApartWhenPolled() {
    String text =
        textOf(
            List.of("host"),
            new Completed(0, "host", 4, false, 1, "RECV", SUCCESS, ""),
            new Completed(0, "host", 4, true, 1, "SEND", SUCCESS, ""),
            new Polled(10, "host", 4, true, 1, SUCCESS));
    assertThat(text).contains("poll wr 1 SEND").contains("┃ wr 1 RECV SUCCESS(0)\n");
  }

  @Test
  void aCompletionPolledLateHasAPlaceOfItsOwn() {
    Completed completed = new Completed(0, "host", 4, false, 1, "RECV", SUCCESS, "");
    assertThat(textOf(List.of("host"), completed, new Polled(1_000, "host", 4, false, 1, SUCCESS)))
        .contains("poll wr 1 RECV")
        .doesNotContain("wr 1 RECV SUCCESS(0)");
    assertThat(textOf(List.of("host"), completed, new Polled(1_001, "host", 4, false, 1, SUCCESS)))
        .contains("poll wr 1 RECV")
        .contains("┃ wr 1 RECV SUCCESS(0)\n");
    assertThat(textOf(List.of("host"), completed)).contains("┃ wr 1 RECV SUCCESS(0)\n");
  }

  @Test
  void queuePairsAreNamedWhereANodeHasSeveral() {
    String text =
        textOf(
            List.of("host"),
            new Posted(0, "host", 4, true, 1, "SEND"),
            new Posted(0, "host", 6, true, 1, "SEND"));
    assertThat(text).contains("post wr 1 SEND QP 4").contains("post wr 1 SEND QP 6");
  }

  @Test
  void aMarkOfTheSwitchIsAWordAtTheArrival() {
    PacketSent sent = new PacketSent(0, "a", 1, "b", 9, 1, "SEND_ONLY psn=0x000001", false, "");
    PacketMarked marked = new PacketMarked(500, "b", 1);
    PacketDelivered arrived = new PacketDelivered(1_000, "b", 1);
    assertThat(textOf(List.of("a", "b"), sent, marked, arrived))
        .contains("│── SEND_ONLY psn=0x000001 ─▶│")
        .contains("│                     marked │");
    assertThat(textOf(List.of("b"), sent, marked, arrived))
        .contains("┃ from a: SEND_ONLY psn=0x000001\n")
        .contains("┃   marked\n");
    assertThat(textOf(List.of("a", "b"), sent, marked, new PacketDropped(900, "a", 1, "link down")))
        .contains("link down, marked");
    PacketSent late =
        new PacketSent(0, "a", 1, "b", 9, 1, "SEND_ONLY", false, "delay=1us:a>b/SEND");
    assertThat(textOf(List.of("a", "b"), late, marked, arrived))
        .contains("delay=1us:a>b/SEND, marked");
    // What was sent before the recording began is not known.
    assertThat(textOf(List.of("b"), marked, arrived)).contains("frame 1 arrives");
  }

  @Test
  void aCompletionEventNamesItsQueue() {
    String text =
        textOf(
            List.of("host"),
            new Completed(0, "host", 4, false, 1, "RECV", SUCCESS, ""),
            new CompletionEventRaised(0, "host", 2, 1),
            new CompletionEventRaised(0, "other", 1, 1),
            new Polled(20, "host", 4, false, 1, SUCCESS));
    assertThat(text)
        .containsSubsequence("┃ completion event of CQ 2\n", "poll wr 1 RECV")
        .doesNotContain("CQ 1");
  }

  @Test
  void aPauseWhileAPacketTravelsIsNoSilence() {
    TraceEvent sent = new PacketSent(0, "a", 1, "b", 9, 1, "SEND_ONLY", false, "");
    TraceEvent arrived = new PacketDelivered(5_000_000, "b", 1);
    assertThat(textOf(List.of("a", "b"), sent, arrived)).doesNotContain("…");
    assertThat(textOf(List.of("a", "b"), sent, arrived, new Noted(5_100_000, "a", "late")))
        .contains("… 100.0 µs …");
    assertThat(textOf(List.of("a", "b"), sent, arrived, new Noted(5_099_999, "a", "soon")))
        .doesNotContain("…");
  }

  @Test
  void missingEventsAreTold() {
    EventRecorder recorder = new EventRecorder(1);
    recorder.onEvent(new Noted(0, "host", "kept"));
    recorder.onEvent(new Noted(1, "host", "lost"));
    recorder.onEvent(new Noted(2, "host", "lost"));
    String text = SequenceDiagram.of("title", List.of("host"), recorder).toText();
    assertThat(text)
        .endsWith("… 2 later events are left out: the recorder's limit was reached\n")
        .contains("┃ kept");
  }
}
