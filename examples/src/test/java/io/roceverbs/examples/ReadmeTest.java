package io.roceverbs.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.fabric.impair.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a newcomer copies from the README works: each call of the program ends as it says there, and
 * the test, the rules and the picture are those that the build runs, parses and draws.
 */
class ReadmeTest {
  private static final Path ROOT = Path.of(System.getProperty("basedir", ""), "..");
  private static final String PROGRAM = "java -jar examples/target/roceverbs-examples.jar ";
  private static final String BENCHMARKS =
      "java -cp examples/target/roceverbs-examples.jar org.openjdk.jmh.Main -prof gc";
  private static final String BUILD = "mvn -q -B package -DskipTests";
  private static final String MAVEN_FORM = "mvn -q -B compile -Dcommand=\"lost-ack --ulp careful\"";
  private static final String VERIFY = "mvn -B verify";

  /** A fenced block: its language and its text. */
  private static final Pattern BLOCK =
      Pattern.compile("^```(\\w+)\\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);

  /** A word of a command, or a quoted one. */
  private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");

  @TempDir private Path folder;

  private static String read(String file) throws IOException {
    return Files.readString(ROOT.resolve(file));
  }

  private static List<String> blocks(String language) throws IOException {
    return BLOCK
        .matcher(read("README.md"))
        .results()
        .filter(block -> block.group(1).equals(language))
        .map(block -> block.group(2))
        .toList();
  }

  private static List<String> commands() throws IOException {
    return blocks("sh").stream().flatMap(String::lines).filter(line -> !isResult(line)).toList();
  }

  private static boolean isResult(String line) {
    return line.startsWith("# ");
  }

  @Test
  void eachCommandIsOneThatTheBuildKnows() throws IOException {
    assertThat(commands())
        .filteredOn(command -> !command.startsWith(PROGRAM))
        .containsExactly(BUILD, VERIFY, MAVEN_FORM, BENCHMARKS);
    assertThat(read(".ci/run")).contains(" " + VERIFY + " ");
  }

  @TestFactory
  Stream<DynamicTest> eachCallOfTheProgramEndsAsTheReadmeSays() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    for (String block : blocks("sh")) {
      List<String> lines = block.lines().toList();
      for (int i = 0; i < lines.size(); i++) {
        String line = lines.get(i);
        String next = i + 1 < lines.size() ? lines.get(i + 1) : "";
        if (line.startsWith(PROGRAM)) {
          tests.add(DynamicTest.dynamicTest(line, () -> runAndCompare(line, next)));
        }
      }
    }
    assertThat(tests).isNotEmpty();
    return tests.stream();
  }

  private void runAndCompare(String command, String next) {
    CommandLineRun run = CommandLineRun.of(arguments(command));

    assertThat(run.exitCode()).isZero();
    if (isResult(next)) {
      assertThat("# " + run.lastLine()).isEqualTo(next);
    } else {
      assertThat(run.lastLine()).startsWith("RESULT ");
    }
  }

  private String[] arguments(String command) {
    return WORD.matcher(command.substring(PROGRAM.length()))
        .results()
        .map(ReadmeTest::unquoted)
        .map(this::located)
        .toArray(String[]::new);
  }

  private static String unquoted(MatchResult word) {
    return word.group(1) == null ? word.group(2) : word.group(1);
  }

  /** The README's files are those of the root folder; what a command writes goes elsewhere. */
  private String located(String word) {
    if (word.startsWith("verbs-sim/")) {
      return ROOT.resolve(word).toString();
    }
    boolean isWritten = word.endsWith(".svg") || word.endsWith(".pcapng");
    return isWritten ? folder.resolve(word).toString() : word;
  }

  @ParameterizedTest
  @ValueSource(strings = {"class-path-junit", "module-path-junit"})
  void theTestToCopyIsTheOneThatTheConsumerProjectsRun(String project) throws IOException {
    String test =
        read("examples/src/it/consumers/" + project + "/src/test/java/consumer/LostAckTest.java");

    assertThat(blocks("java")).hasSize(1);
    assertThat("package consumer;\n\n" + blocks("java").get(0)).isEqualTo(test);
  }

  static Stream<String> rules() throws IOException {
    return blocks("text").stream()
        .flatMap(String::lines)
        .filter(line -> line.matches("\\w\\S*:\\S+>\\S+/[A-Z]\\S* .*"))
        .map(line -> line.substring(0, line.indexOf(' ')));
  }

  @ParameterizedTest
  @MethodSource("rules")
  void eachFaultRuleIsLegalAndInItsShortestForm(String rule) {
    assertThat(Rule.parse(rule)).hasToString(rule);
  }

  @Test
  void thePictureIsWhatTheProgramDraws() throws IOException {
    Path drawn = folder.resolve("lost-ack.svg");
    CommandLineRun.of("lost-ack", "--diagram", drawn.toString());
    String picture = "examples/src/doc/lost-ack.svg";

    assertThat(read("README.md")).contains("](" + picture + ")");
    assertThat(ROOT.resolve(picture))
        .as("draw it again: %slost-ack --diagram %s", PROGRAM, picture)
        .hasSameTextualContentAs(drawn);
  }
}
