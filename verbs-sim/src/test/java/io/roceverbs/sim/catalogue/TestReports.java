package io.roceverbs.sim.catalogue;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** The outcomes of tests, from the reports that Surefire wrote in this build. */
final class TestReports {
  /** Where the name of a parameterized test goes on with its arguments. */
  private static final Pattern ARGUMENTS = Pattern.compile("[({\\[]");

  private final Map<CheckingTest, Outcome> outcomes = new TreeMap<>();

  private TestReports() {}

  /**
   * Reads the reports of a folder.
   *
   * @param since when the build began: older reports are of an earlier one
   */
  static TestReports read(Path folder, Instant since) {
    TestReports reports = new TestReports();
    try {
      for (Path file : files(folder)) {
        if (!Files.getLastModifiedTime(file).toInstant().isBefore(since)) {
          reports.readFile(file);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (XMLStreamException e) {
      throw new IllegalStateException("A report of Surefire can't be read", e);
    }
    return reports;
  }

  /** The outcome of a test method, over all its arguments. */
  Outcome outcome(CheckingTest test) {
    return outcomes.getOrDefault(test, Outcome.NOT_RUN);
  }

  private static List<Path> files(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.getFileName().toString().matches("TEST-.*\\.xml"))
          .sorted()
          .toList();
    }
  }

  private void readFile(Path file) throws IOException, XMLStreamException {
    try (InputStream in = Files.newInputStream(file)) {
      XMLStreamReader xml = XMLInputFactory.newInstance().createXMLStreamReader(in);
      CheckingTest test = null;
      while (xml.hasNext()) {
        if (xml.next() == XMLStreamConstants.START_ELEMENT) {
          switch (xml.getLocalName()) {
            case "testcase" -> {
              test = test(xml);
              outcomes.merge(test, Outcome.PASSED, Outcome::and);
            }
            case "failure", "error" -> outcomes.put(test, Outcome.FAILED);
            case "skipped" -> outcomes.merge(test, Outcome.NOT_RUN, Outcome::and);
            default -> {
              // Properties and output.
            }
          }
        }
      }
    }
  }

  private static CheckingTest test(XMLStreamReader xml) {
    String name = xml.getAttributeValue(null, "name");
    return new CheckingTest(xml.getAttributeValue(null, "classname"), ARGUMENTS.split(name, 2)[0]);
  }
}
