package consumer;

import io.roceverbs.sim.wire.Opcode;
import io.roceverbs.verbs.Errno;

/** A user's program on the module path, with neither JUnit nor AssertJ there. */
public final class Consumer {
  private Consumer() {}

  public static void main(String[] arguments) {
    if (Errno.EINVAL.value() != 22) {
      throw new AssertionError("EINVAL is " + Errno.EINVAL.value());
    }
    String module = Opcode.class.getModule().getName();
    if (!"io.roceverbs.sim".equals(module)) {
      throw new AssertionError("not on the module path: " + module);
    }
    System.out.println("verbs and simulator work on the module path");
  }
}
