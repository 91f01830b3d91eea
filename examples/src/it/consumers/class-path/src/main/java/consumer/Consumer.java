package consumer;

import io.roceverbs.sim.wire.Opcode;
import io.roceverbs.verbs.Errno;

/** A user's program on the class path, with neither JUnit nor AssertJ there. */
public final class Consumer {
  private Consumer() {}

  public static void main(String[] arguments) {
    if (Errno.EINVAL.value() != 22) {
      throw new AssertionError("EINVAL is " + Errno.EINVAL.value());
    }
    if (Opcode.class.getModule().isNamed()) {
      throw new AssertionError("not on the class path: " + Opcode.class.getModule());
    }
    System.out.println("verbs and simulator work on the class path");
  }
}
