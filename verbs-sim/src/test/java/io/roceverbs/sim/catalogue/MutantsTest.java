package io.roceverbs.sim.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Shows when the sources or the tests drift away from the list of mutants; the run itself is slow.
 */
class MutantsTest {
  private static final Path MAIN = Path.of("src", "main", "java");

  private final List<Mutant> mutants = Mutants.load();

  @Test
  void theLineOfEachMutantIsInItsSourceOnce() {
    assertThat(mutants.stream().filter(mutant -> mutant.occurrences(source(mutant)) != 1))
        .isEmpty();
  }

  @Test
  void eachMutantChangesItsLine() {
    assertThat(mutants.stream().filter(mutant -> mutant.after().equals(mutant.before()))).isEmpty();
  }

  @Test
  void eachMutantIsOfOneEntryOfTheCatalogue() {
    assertThat(Catalogue.load().entries().keySet())
        .containsAll(mutants.stream().map(Mutant::id).toList());
    assertThat(mutants).extracting(Mutant::id).doesNotHaveDuplicates();
  }

  @Test
  void theClassThatMustFindAMutantHasATestOfItsRule() {
    Map<String, SortedSet<CheckingTest>> tests = CheckingTests.byId();
    assertThat(
            mutants.stream()
                .filter(
                    mutant ->
                        tests.getOrDefault(mutant.id(), new TreeSet<>()).stream()
                            .noneMatch(mutant::isFoundBy)))
        .isEmpty();
  }

  private static String source(Mutant mutant) {
    try {
      return Files.readString(MAIN.resolve(mutant.path()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
