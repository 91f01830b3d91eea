package io.roceverbs.sim.catalogue;

import java.util.Optional;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/** Remembers the first test that fails, and counts those that ran. */
final class FirstFailure implements TestExecutionListener {
  private Optional<String> test = Optional.empty();
  private int run;

  @Override
  public void executionFinished(TestIdentifier identifier, TestExecutionResult result) {
    if (identifier.isTest()) {
      run++;
    }
    if (result.getStatus() != TestExecutionResult.Status.SUCCESSFUL && test.isEmpty()) {
      test = Optional.of(name(identifier));
    }
  }

  /** The first failed test, or none. */
  Optional<String> test() {
    return test;
  }

  /** How many tests ran to an end. */
  int run() {
    return run;
  }

  private static String name(TestIdentifier identifier) {
    TestSource source = identifier.getSource().orElse(null);
    return source instanceof MethodSource method
        ? new CheckingTest(method.getClassName(), method.getMethodName()).toString()
        : identifier.getDisplayName();
  }
}
