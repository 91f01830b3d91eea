package io.roceverbs.sim.diagram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SequenceDiagramTest {
  @Test
  void aDiagramWithoutNodesIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SequenceDiagram.of("title", List.of(), List.of()))
        .withMessage("a diagram shows 1 to 16 nodes, not 0");
  }

  @Test
  void moreNodesThanCanBeReadAreRefused() {
    List<String> nodes = IntStream.range(0, 17).mapToObj(number -> "node" + number).toList();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SequenceDiagram.of("title", nodes, List.of()))
        .withMessage("a diagram shows 1 to 16 nodes, not 17");
    SequenceDiagram widest = SequenceDiagram.of("title", nodes.subList(0, 16), List.of());
    assertThat(widest.toText()).contains("node0 ", " node15");
  }

  @Test
  void aNodeNamedTwiceIsRefused() {
    List<String> nodes = Collections.nCopies(2, "host");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SequenceDiagram.of("title", nodes, List.of()))
        .withMessage("each node of a diagram is named once, not as in [host, host]");
  }

  @Test
  void theSameEventsGiveTheSamePictures() {
    SequenceDiagram one =
        SequenceDiagram.of(LostAckStory.TITLE, LostAckStory.NODES, LostAckStory.events());
    SequenceDiagram other =
        SequenceDiagram.of(LostAckStory.TITLE, LostAckStory.NODES, LostAckStory.events());
    assertThat(one.toText()).isEqualTo(other.toText());
    assertThat(one.toSvg()).isEqualTo(other.toSvg()).isEqualTo(one.toSvg());
  }
}
