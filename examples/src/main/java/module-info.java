/**
 * The command line: protocols written against verbs, tools and benchmarks, on a simulated fabric.
 *
 * <p>Begin with {@link io.roceverbs.examples.Main}.
 */
module io.roceverbs.examples {
  requires info.picocli;
  requires io.roceverbs.sim;
  requires io.roceverbs.verbs;
  requires jmh.core;
  requires static org.jspecify;

  exports io.roceverbs.examples;

  opens io.roceverbs.examples to
      info.picocli;
}
