package io.roceverbs.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Keeps code, tests and the rule catalogue together. */
class RuleCatalogueTest {
  private static final Path MAIN = Path.of("src", "main", "java");
  private static final Path TEST = Path.of("src", "test", "java");
  private static final Pattern IN_COMMENT =
      Pattern.compile("[Rr]ules? ([A-Z]+(?:-[A-Z]+)+)(?: and ([A-Z]+(?:-[A-Z]+)+))?");
  private static final Pattern CHECKS = Pattern.compile("@Checks\\(\\s*\\{?([^)]*?)\\}?\\s*\\)");
  private static final Pattern QUOTED = Pattern.compile("\"([^\"]+)\"");
  private static final Pattern CASE = Pattern.compile("C\\d\\d");

  @Test
  void everyEntryHasAnIdASentenceAndAPublicSource() {
    assertThat(catalogue().values())
        .allSatisfy(
            entry -> {
              assertThat(entry).hasSize(3);
              assertThat(entry[1]).endsWith(".");
              assertThat(entry[2]).isNotBlank();
            });
  }

  @Test
  void everyRuleThatTheCodeNamesIsInTheCatalogue() {
    assertThat(catalogue().keySet()).containsAll(rulesInCode());
  }

  @Test
  void everyRuleOfTheCatalogueIsNamedInTheCode() {
    Set<String> rules = new TreeSet<>(catalogue().keySet());
    rules.removeIf(id -> CASE.matcher(id).matches());
    assertThat(rulesInCode()).isEqualTo(rules);
  }

  @Test
  void everyIdThatATestChecksIsInTheCatalogue() {
    assertThat(catalogue().keySet()).containsAll(checkedIds());
  }

  @Test
  void everyIdOfTheCatalogueIsCheckedByATest() {
    assertThat(checkedIds()).containsAll(catalogue().keySet());
  }

  private static Set<String> rulesInCode() {
    Set<String> rules = new TreeSet<>();
    for (String source : sources(MAIN)) {
      String text = source.replaceAll("\\n\\s*(//|\\*)?\\s*", " ");
      Matcher matcher = IN_COMMENT.matcher(text);
      while (matcher.find()) {
        rules.add(matcher.group(1));
        if (matcher.group(2) != null) {
          rules.add(matcher.group(2));
        }
      }
    }
    return rules;
  }

  private static Set<String> checkedIds() {
    Set<String> ids = new TreeSet<>();
    for (String source : sources(TEST)) {
      Matcher annotation = CHECKS.matcher(source);
      while (annotation.find()) {
        Matcher quoted = QUOTED.matcher(annotation.group(1));
        while (quoted.find()) {
          ids.add(quoted.group(1));
        }
      }
    }
    return ids;
  }

  private static List<String> sources(Path root) {
    try (Stream<Path> files = Files.walk(root)) {
      List<String> sources = new ArrayList<>();
      for (Path file : files.filter(path -> path.toString().endsWith(".java")).sorted().toList()) {
        sources.add(Files.readString(file));
      }
      return sources;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Map<String, String[]> catalogue() {
    Map<String, String[]> entries = new TreeMap<>();
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(
                Fabric.class.getResourceAsStream("rules.tsv"), StandardCharsets.UTF_8))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        if (!line.startsWith("#")) {
          String[] entry = line.split("\t", -1);
          assertThat(entries.put(entry[0], entry)).as("id %s is there once", entry[0]).isNull();
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return entries;
  }
}
