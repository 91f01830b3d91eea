package io.roceverbs.sim.catalogue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The conformance ledger of a build: each entry of the catalogue with its tests and what became of
 * them, and the entries without one.
 */
public final class Ledger {
  private final Catalogue catalogue = Catalogue.load();
  private final Map<String, SortedSet<CheckingTest>> tests = CheckingTests.byId();
  private final Map<String, String> mutants = new TreeMap<>();
  private final TestReports reports;

  private Ledger(TestReports reports, List<MutantVerdict> verdicts) {
    this.reports = reports;
    for (Mutant mutant : Mutants.load()) {
      mutants.put(mutant.id(), mutant.testClass().replaceFirst(".*\\.", ""));
    }
    for (MutantVerdict verdict : verdicts) {
      mutants.put(verdict.id(), verdict.words());
    }
  }

  /**
   * Writes the ledger, and fails when something that is done has no test or none that passed.
   *
   * @param arguments the module's target folder, and when the build began
   */
  public static void main(String[] arguments) throws IOException {
    Path target = Path.of(arguments[0]);
    Instant since = Instant.parse(arguments[1]);
    Path verdicts = target.resolve("mutants").resolve("verdicts.tsv");
    Ledger ledger =
        new Ledger(
            TestReports.read(target.resolve("surefire-reports"), since),
            isOfThisBuild(verdicts, since) ? MutantVerdict.read(verdicts) : List.of());
    Path file = target.resolve("conformance.md");
    Files.writeString(file, ledger.text());
    List<String> failures = ledger.failures();
    if (!failures.isEmpty()) {
      throw new IllegalStateException(
          "The catalogue calls done what has no passing test in this build (see "
              + file
              + "): "
              + String.join(", ", failures));
    }
  }

  private static boolean isOfThisBuild(Path file, Instant since) throws IOException {
    return Files.exists(file) && !Files.getLastModifiedTime(file).toInstant().isBefore(since);
  }

  private List<String> failures() {
    return catalogue.entries().values().stream()
        .filter(entry -> entry.status() == Status.DONE && outcome(entry) != Outcome.PASSED)
        .map(Entry::id)
        .toList();
  }

  private SortedSet<CheckingTest> tests(Entry entry) {
    return tests.getOrDefault(entry.id(), new TreeSet<>());
  }

  private boolean hasTest(Entry entry) {
    return tests.containsKey(entry.id());
  }

  private Outcome outcome(Entry entry) {
    return tests(entry).stream().map(reports::outcome).reduce(Outcome::and).orElse(Outcome.NOT_RUN);
  }

  private List<Entry> of(Kind kind) {
    return catalogue.entries().values().stream().filter(entry -> entry.kind() == kind).toList();
  }

  // ---- text ----------------------------------------------------------------------------------

  private String text() {
    List<String> lines = new ArrayList<>();
    lines.add("# Conformance");
    lines.add("");
    addCounts(lines);
    for (Kind kind : Kind.values()) {
      addTested(lines, kind);
    }
    lines.add("");
    lines.add("## Without a test");
    for (Status status : Status.values()) {
      addUntested(lines, status);
    }
    return String.join("\n", lines) + "\n";
  }

  private void addCounts(List<String> lines) {
    lines.add(
        "| | entries | done | open with a test | open | later | optional | excluded | mutants |");
    lines.add("|---|---|---|---|---|---|---|---|---|");
    for (Kind kind : Kind.values()) {
      lines.add(counts(kind.title(), of(kind)));
    }
    lines.add(counts("All", List.copyOf(catalogue.entries().values())));
  }

  private String counts(String title, List<Entry> entries) {
    return "| %s | %d | %d | %d | %d | %d | %d | %d | %d |"
        .formatted(
            title,
            entries.size(),
            entries.stream().filter(entry -> entry.status() == Status.DONE).count(),
            entries.stream().filter(this::isOpenWithTest).count(),
            count(entries, Status.OPEN),
            count(entries, Status.LATER),
            count(entries, Status.OPTIONAL),
            count(entries, Status.EXCLUDED),
            entries.stream().filter(entry -> mutants.containsKey(entry.id())).count());
  }

  private boolean isOpenWithTest(Entry entry) {
    return entry.status() != Status.DONE && hasTest(entry);
  }

  private long count(List<Entry> entries, Status status) {
    return entries.stream().filter(entry -> entry.status() == status && !hasTest(entry)).count();
  }

  private void addTested(List<String> lines, Kind kind) {
    lines.add("");
    lines.add("## " + kind.title());
    lines.add("");
    lines.add("| id | | tests | outcome | mutant killed by |");
    lines.add("|---|---|---|---|---|");
    for (Entry entry : of(kind)) {
      if (hasTest(entry)) {
        lines.add(
            "| %s | %s (%s) | %s | %s | %s |"
                .formatted(
                    entry.status() == Status.DONE ? entry.id() : entry.id() + " (not yet done)",
                    entry.sentence(),
                    entry.source(),
                    String.join("<br>", tests(entry).stream().map(CheckingTest::toString).toList()),
                    outcome(entry),
                    mutants.getOrDefault(entry.id(), "")));
      }
    }
  }

  private void addUntested(List<String> lines, Status status) {
    List<Entry> untested =
        catalogue.entries().values().stream()
            .filter(entry -> entry.status() == status && !hasTest(entry))
            .toList();
    if (untested.isEmpty()) {
      return;
    }
    lines.add("");
    lines.add("### " + status);
    lines.add("");
    for (Entry entry : untested) {
      String reason = entry.reason().isEmpty() ? "" : " Left out: " + entry.reason() + ".";
      lines.add("- %s: %s (%s)%s".formatted(entry.id(), entry.sentence(), entry.source(), reason));
    }
  }
}
