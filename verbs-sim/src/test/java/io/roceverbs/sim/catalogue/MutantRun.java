package io.roceverbs.sim.catalogue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Puts each mutant of the list in place of its source and runs the rule's own tests, those of the
 * named class that name the rule: one of them must fail.
 */
public final class MutantRun {
  /** A mutant that loops for ever is no proof that a test asserts the rule. */
  private static final long TIMEOUT_SECONDS = 60;

  private final Path classes;
  private final Path testClasses;
  private final Path work;
  private final MutantCompiler compiler;
  private final Map<String, SortedSet<CheckingTest>> tests = CheckingTests.byId();

  private MutantRun(Path project) {
    classes = project.resolve("target/classes");
    testClasses = project.resolve("target/test-classes");
    work = project.resolve("target/mutants");
    compiler = new MutantCompiler(project.resolve("src/main/java"));
  }

  /**
   * Runs all mutants, or those whose ids are given; ends with 1 if one was not killed.
   *
   * @param arguments the folder of the module, then ids
   */
  public static void main(String[] arguments) throws Exception {
    List<Mutant> mutants = new ArrayList<>(Mutants.load());
    List<String> ids = Arrays.asList(arguments).subList(1, arguments.length);
    mutants.removeIf(mutant -> !ids.isEmpty() && !ids.contains(mutant.id()));
    MutantRun run = new MutantRun(Path.of(arguments[0]));
    boolean good = run.testsPassWithout(mutants) && run.allKilled(mutants);
    System.exit(good ? 0 : 1);
  }

  private boolean testsPassWithout(List<Mutant> mutants) throws Exception {
    SortedSet<CheckingTest> all = new TreeSet<>();
    mutants.forEach(mutant -> all.addAll(testsOf(mutant)));
    FirstFailure result = run(all, List.of(classes, testClasses));
    result.test().ifPresent(test -> System.out.println("Fails without a mutant: " + test));
    return result.test().isEmpty();
  }

  private boolean allKilled(List<Mutant> mutants) throws Exception {
    int threads = Runtime.getRuntime().availableProcessors();
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    List<Future<MutantVerdict>> futures = new ArrayList<>();
    for (int i = 0; i < mutants.size(); i++) {
      Mutant mutant = mutants.get(i);
      Path folder = work.resolve(Integer.toString(i));
      futures.add(executor.submit(() -> verdict(mutant, folder)));
    }
    List<MutantVerdict> verdicts = new ArrayList<>();
    for (Future<MutantVerdict> future : futures) {
      MutantVerdict verdict = future.get();
      verdicts.add(verdict);
      System.out.println(verdict.kind() + " " + verdict.id() + ": " + verdict.killer());
    }
    executor.shutdown();
    MutantVerdict.write(verdicts, Files.createDirectories(work).resolve("verdicts.tsv"));
    long killed = verdicts.stream().filter(MutantVerdict::isKilled).count();
    System.out.println(killed + " of " + verdicts.size() + " mutants killed");
    return killed == verdicts.size();
  }

  private MutantVerdict verdict(Mutant mutant, Path folder) throws Exception {
    String errors = compiler.compile(mutant, folder);
    if (!errors.isEmpty()) {
      return new MutantVerdict(
          mutant.id(), MutantVerdict.Kind.DOES_NOT_COMPILE, errors.lines().findFirst().get());
    }
    Collection<CheckingTest> own = testsOf(mutant);
    FutureTask<FirstFailure> task =
        new FutureTask<>(() -> run(own, List.of(folder, classes, testClasses)));
    Thread thread = new Thread(task, "mutant " + mutant.id());
    thread.setDaemon(true);
    thread.start();
    try {
      FirstFailure result = task.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
      return result
          .test()
          .map(test -> new MutantVerdict(mutant.id(), MutantVerdict.Kind.KILLED, test))
          .orElseGet(
              () ->
                  new MutantVerdict(
                      mutant.id(),
                      MutantVerdict.Kind.SURVIVED,
                      result.run() + " tests of " + mutant.testClass()));
    } catch (TimeoutException e) {
      return new MutantVerdict(
          mutant.id(), MutantVerdict.Kind.HANGS, mutant.testClass() + " does not end");
    } catch (ExecutionException e) {
      throw new IllegalStateException("Mutant of " + mutant.id(), e.getCause());
    }
  }

  private Collection<CheckingTest> testsOf(Mutant mutant) {
    List<CheckingTest> own =
        tests.getOrDefault(mutant.id(), new TreeSet<>()).stream()
            .filter(mutant::isFoundBy)
            .toList();
    if (own.isEmpty()) {
      throw new IllegalArgumentException(
          "%s has no test that checks %s".formatted(mutant.testClass(), mutant.id()));
    }
    return own;
  }

  private static FirstFailure run(Collection<CheckingTest> tests, List<Path> folders)
      throws IOException, ClassNotFoundException {
    FirstFailure listener = new FirstFailure();
    try (ModuleClassLoader loader = new ModuleClassLoader(folders)) {
      Thread.currentThread().setContextClassLoader(loader);
      LauncherDiscoveryRequest request =
          LauncherDiscoveryRequestBuilder.request().selectors(selectors(tests, loader)).build();
      LauncherFactory.create().execute(request, listener);
    }
    return listener;
  }

  private static List<DiscoverySelector> selectors(
      Collection<CheckingTest> tests, ClassLoader loader) throws ClassNotFoundException {
    List<DiscoverySelector> selectors = new ArrayList<>();
    for (CheckingTest test : tests) {
      Class<?> type = Class.forName(test.className(), false, loader);
      Arrays.stream(type.getDeclaredMethods())
          .filter(method -> method.getName().equals(test.method()))
          .forEach(method -> selectors.add(DiscoverySelectors.selectMethod(type, method)));
    }
    return selectors;
  }
}
