package consumer;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.wire.Opcode;
import io.roceverbs.verbs.Errno;
import org.junit.jupiter.api.Test;

/** A user's test on the module path. */
class ConsumerTest {

  @Test
  void verbsAndSimulatorAreOnTheModulePath() {
    assertThat(Protocol.refusal()).isEqualTo(Errno.EINVAL);
    assertThat(Opcode.class.getModule().getName()).isEqualTo("io.roceverbs.sim");
  }
}
