package io.roceverbs.sim.diagram;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.trace.TraceEvent;
import io.roceverbs.sim.trace.TraceEvent.Noted;
import io.roceverbs.sim.trace.TraceEvent.PacketDelivered;
import io.roceverbs.sim.trace.TraceEvent.PacketSent;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

class SequenceDiagramSvgTest {
  private static Document parse(String svg) {
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
      factory.setNamespaceAware(true);
      return factory.newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
    } catch (ParserConfigurationException | SAXException | IOException e) {
      throw new AssertionError("not well-formed: " + svg, e);
    }
  }

  private static Document story() {
    return parse(
        SequenceDiagram.of(LostAckStory.TITLE, LostAckStory.NODES, LostAckStory.events()).toSvg());
  }

  private static List<Element> elements(Document document, String tag, String style) {
    List<Element> found = new ArrayList<>();
    NodeList nodes = document.getElementsByTagName(tag);
    for (int i = 0; i < nodes.getLength(); i++) {
      Element element = (Element) nodes.item(i);
      if (List.of(element.getAttribute("class").split(" "))
          .containsAll(List.of(style.split(" ")))) {
        found.add(element);
      }
    }
    return found;
  }

  private static List<String> texts(Document document, String style) {
    return elements(document, "text", style).stream().map(Element::getTextContent).toList();
  }

  private static double number(Element element, String attribute) {
    return Double.parseDouble(element.getAttribute(attribute));
  }

  @Test
  void theStoryIsWellFormedAndNamed() {
    Document document = story();
    Element root = document.getDocumentElement();
    assertThat(root.getNamespaceURI()).isEqualTo("http://www.w3.org/2000/svg");
    assertThat(root.getAttribute("role")).isEqualTo("img");
    assertThat(root.getAttribute("aria-labelledby"))
        .isEqualTo("sequence-title sequence-description");
    assertThat(document.getElementsByTagName("title").item(0).getTextContent())
        .isEqualTo(LostAckStory.TITLE);
    assertThat(document.getElementsByTagName("desc").item(0).getTextContent())
        .isEqualTo(
            "Sequence diagram of initiator, target in virtual time. Packets: 4, lost: 1, "
                + "failures: 3.");
  }

  @Test
  void itNeedsNothingFromElsewhereAndKnowsDarkPages() {
    String svg =
        SequenceDiagram.of(LostAckStory.TITLE, LostAckStory.NODES, LostAckStory.events()).toSvg();
    assertThat(svg.replace("xmlns=\"http://www.w3.org/2000/svg\"", ""))
        .doesNotContain("http", "url(", "@import", "@font-face", "href", "<script", "<image");
    assertThat(svg).contains("@media (prefers-color-scheme: dark)");
  }

  @Test
  void theFailedCheckStandsBelowTheFailedCompletion() {
    Document document = story();
    assertThat(elements(document, "rect", "box failure")).hasSize(3);
    assertThat(texts(document, "middle"))
        .containsSubsequence(
            "wr 7 SEND LOC_PROT_ERR(4)",
            "cannot gather psn 0x000100",
            "again: lkey 0x00001a00 is",
            "invalid since 22.067 µs",
            "QP 17 RTS → ERR",
            "wr 102–104 RECV WR_FLUSH_ERR(5)");
    assertThat(texts(document, "red"))
        .containsExactly(
            "dropped by rule: ACKNOWLEDGE",
            "from target, 1st",
            "poll wr 7 LOC_PROT_ERR",
            "poll wr 102–104",
            "WR_FLUSH_ERR");
  }

  @Test
  void keysTimersAndNotesAreBoxes() {
    Document document = story();
    assertThat(elements(document, "rect", "box warning")).hasSize(2);
    assertThat(elements(document, "rect", "box note")).hasSize(1);
    assertThat(texts(document, "middle"))
        .contains("key 0x00001a00 invalid", "ACK timeout, back", "command done,");
    assertThat(texts(document, "halo strong")).containsExactly("… 67.1 ms …");
  }

  @Test
  void timesStandOnceEach() {
    assertThat(texts(story(), "time"))
        .containsExactly(
            "0 ns",
            "350 ns",
            "10.414 µs",
            "12.000 µs",
            "12.050 µs",
            "22.067 µs",
            "32.073 µs",
            "67.109 ms");
  }

  @Test
  void aPacketFallsFromItsDepartureToItsArrival() {
    List<Element> packets = elements(story(), "line", "packet");
    assertThat(packets).hasSize(4);
    assertThat(packets).allMatch(line -> number(line, "y2") > number(line, "y1"));
    Element request = packets.get(0);
    Element lostAck = packets.get(1);
    assertThat(number(request, "x2")).isGreaterThan(number(request, "x1"));
    assertThat(number(lostAck, "x2")).isLessThan(number(lostAck, "x1"));
    assertThat(number(lostAck, "x2")).isGreaterThan(number(request, "x1"));
  }

  @Test
  void aLostPacketEndsInACrossAndHasNoHead() {
    Document document = story();
    assertThat(elements(document, "path", "packet head")).hasSize(3);
    List<Element> cross = elements(document, "line", "cross");
    assertThat(cross).hasSize(2);
    Element lostAck = elements(document, "line", "packet").get(1);
    double middle = (number(cross.get(0), "x1") + number(cross.get(0), "x2")) / 2;
    assertThat(middle).isEqualTo(number(lostAck, "x2"));
  }

  @Test
  void aPacketThatTravelsLongerFallsMoreSteeply() {
    Document quick = parse(flight(1_000));
    Document slow = parse(flight(1_000_000));
    Element quickLine = elements(quick, "line", "packet").get(0);
    Element slowLine = elements(slow, "line", "packet").get(0);
    assertThat(number(slowLine, "y2") - number(slowLine, "y1"))
        .isGreaterThan(number(quickLine, "y2") - number(quickLine, "y1"));
  }

  private static String flight(long latencyNanos) {
    List<TraceEvent> events =
        List.of(
            new PacketSent(0, "a", 1, "b", 5, 1, "SEND_ONLY psn=0x000001", false, ""),
            new PacketDelivered(latencyNanos, "b", 1));
    return SequenceDiagram.of("", List.of("a", "b"), events).toSvg();
  }

  @Test
  void faultsAndRetransmissionsAreMarked() {
    Document document =
        parse(SequenceDiagram.of("", List.of("a", "b"), FaultyWindow.events()).toSvg());
    assertThat(texts(document, "amber"))
        .containsExactly("SEND_MIDDLE psn=0x000000 again", "SEND_LAST psn=0x000001 again");
    assertThat(texts(document, "middle"))
        .contains("ICRC: corrupted by rule #1", "duplicated by rule #2", "duplicate");
    assertThat(elements(document, "line", "packet again")).hasSize(2);
    assertThat(elements(document, "line", "packet open")).hasSize(1);
    assertThat(elements(document, "rect", "box good")).hasSize(2);
  }

  @Test
  void textThatIsNoXmlIsTamed() {
    String hostile = "</text><script>&\"'\u0000\uD800\uFFFE]]>\n";
    List<TraceEvent> events = List.of(new Noted(0, hostile, hostile));
    Document document = parse(SequenceDiagram.of(hostile, List.of(hostile), events).toSvg());
    assertThat(document.getElementsByTagName("script").getLength()).isZero();
    assertThat(texts(document, "title"))
        .containsExactly("</text><script>&\"'\uFFFD\uFFFD\uFFFD]]> ");
  }

  @Test
  void aPageIsAsWideAsItsTitle() {
    String title = "a title that is longer than ".repeat(5);
    Document document = parse(SequenceDiagram.of(title, List.of("host"), List.of()).toSvg());
    assertThat(number(document.getDocumentElement(), "width")).isEqualTo(1_440);
  }

  @Test
  void aDiagramWithoutEventsIsWellFormed() {
    Document document = parse(SequenceDiagram.of("empty", List.of("host"), List.of()).toSvg());
    assertThat(texts(document, "node")).containsExactly("host");
    assertThat(elements(document, "line", "lane")).hasSize(2);
  }
}
