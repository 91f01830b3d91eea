package io.roceverbs.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.catalogue.Catalogue;
import io.roceverbs.sim.catalogue.CheckingTests;
import io.roceverbs.sim.catalogue.Entry;
import io.roceverbs.sim.catalogue.Kind;
import io.roceverbs.sim.catalogue.Status;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Keeps code, tests and the catalogue together. */
class RuleCatalogueTest {
  private static final Path MAIN = Path.of("src", "main", "java");
  private static final Pattern IN_COMMENT =
      Pattern.compile("[Rr]ules? ([A-Z]+(?:-[A-Z]+)+)(?: and ([A-Z]+(?:-[A-Z]+)+))?");

  private final Catalogue catalogue = Catalogue.load();

  @Test
  void everyEntryHasASentenceAndAPublicSource() {
    assertThat(entries())
        .allSatisfy(
            entry -> {
              assertThat(entry.sentence()).endsWith(".");
              assertThat(entry.source()).isNotBlank();
            });
  }

  @Test
  void whatIsExcludedHasAReasonAndNothingElseHas() {
    assertThat(entries())
        .allSatisfy(
            entry ->
                assertThat(entry.reason().isBlank())
                    .as(entry.id())
                    .isEqualTo(entry.status() != Status.EXCLUDED));
  }

  @Test
  void everyRuleThatTheCodeNamesIsInTheCatalogue() {
    Set<String> unknown = rulesInCode();
    unknown.removeAll(ids(entry -> entry.kind() == Kind.RULE));
    assertThat(unknown).isEmpty();
  }

  @Test
  void everyRuleOfTheCatalogueIsNamedInTheCode() {
    Set<String> unused = ids(entry -> entry.kind() == Kind.RULE);
    unused.removeAll(rulesInCode());
    assertThat(unused).isEmpty();
  }

  @Test
  void everyIdThatATestChecksIsInTheCatalogue() {
    Set<String> unknown = new TreeSet<>(CheckingTests.byId().keySet());
    unknown.removeAll(catalogue.entries().keySet());
    assertThat(unknown).isEmpty();
  }

  @Test
  void everythingThatIsDoneIsCheckedByATest() {
    Set<String> unchecked = ids(entry -> entry.status() == Status.DONE);
    unchecked.removeAll(CheckingTests.byId().keySet());
    assertThat(unchecked).isEmpty();
  }

  @Test
  void nothingThatIsExcludedIsCheckedByATest() {
    assertThat(CheckingTests.byId().keySet())
        .doesNotContainAnyElementsOf(ids(entry -> entry.status() == Status.EXCLUDED));
  }

  private Collection<Entry> entries() {
    return catalogue.entries().values();
  }

  private Set<String> ids(Predicate<Entry> condition) {
    return entries().stream()
        .filter(condition)
        .map(Entry::id)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> rulesInCode() {
    Set<String> rules = new TreeSet<>();
    for (String source : sources()) {
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

  private static List<String> sources() {
    try (Stream<Path> files = Files.walk(MAIN)) {
      List<String> sources = new ArrayList<>();
      for (Path file : files.filter(path -> path.toString().endsWith(".java")).sorted().toList()) {
        sources.add(Files.readString(file));
      }
      return sources;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
