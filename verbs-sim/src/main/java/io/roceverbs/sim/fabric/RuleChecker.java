package io.roceverbs.sim.fabric;

import io.roceverbs.sim.fabric.impair.Match;
import io.roceverbs.sim.fabric.impair.Rule;
import io.roceverbs.sim.wire.Opcode;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Refuses rules that could never match in the fabric as it is. */
final class RuleChecker {
  private final List<Port> ports;

  RuleChecker(List<Port> ports) {
    this.ports = ports;
  }

  void check(Rule rule) {
    checkNode(rule, rule.match().from());
    checkNode(rule, rule.match().to());
    Opcode opcode = rule.match().opcode();
    if (opcode != null) {
      checkOpcode(rule, opcode);
    }
  }

  private void checkNode(Rule rule, String name) {
    if (!name.equals(Match.ANY_NODE) && find(name) == null) {
      String known = ports.stream().map(Port::name).collect(Collectors.joining(", "));
      throw new IllegalArgumentException(
          "rule \""
              + rule
              + "\" can never match: there is no node \""
              + name
              + "\"; the nodes are "
              + (known.isEmpty() ? "still to be added" : known));
    }
  }

  private static void checkOpcode(Rule rule, Opcode opcode) {
    if (opcode == Opcode.RC_RESERVED) {
      throw new IllegalArgumentException(
          "rule \"" + rule + "\" can never match: no device sends " + opcode);
    }
  }

  /** The port of a node, or null if there is none. */
  @Nullable Port find(String name) {
    for (Port port : ports) {
      if (port.name().equals(name)) {
        return port;
      }
    }
    return null;
  }
}
