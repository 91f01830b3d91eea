package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.VerbsException;
import io.roceverbs.verbs.WorkCompletion;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** What calls and completions come to, in short words. */
public final class Outcomes {
  private Outcomes() {}

  /** Each completion as its id and its status. */
  public static List<String> words(List<WorkCompletion> completions) {
    return completions.stream().map(c -> c.id() + " " + c.status()).toList();
  }

  /** A verbs call is refused with an error number. */
  public static void assertErrno(Errno errno, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.errno()).isEqualTo(errno));
  }

  /** A verbs call is refused with an error number and a text that has these words in it. */
  public static void assertErrno(Errno errno, String words, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.errno()).isEqualTo(errno))
        .hasMessageContaining(words);
  }
}
