package io.roceverbs.sim.catalogue;

import java.util.Locale;

/** What became of a test in this build. */
enum Outcome {
  PASSED,
  FAILED,
  /** It was left out, or skipped, or the build stopped before it. */
  NOT_RUN;

  /** The outcome of two tests, or of two runs of one, together: the worse one. */
  Outcome and(Outcome other) {
    if (this == FAILED || other == FAILED) {
      return FAILED;
    }
    return this == NOT_RUN || other == NOT_RUN ? NOT_RUN : PASSED;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
