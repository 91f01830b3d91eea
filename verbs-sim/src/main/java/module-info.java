/**
 * RDMA verbs on a simulated RoCEv2 network, in virtual or in real time.
 *
 * <p>Begin with {@link io.roceverbs.sim.Fabric}.
 */
module io.roceverbs.sim {
  requires transitive io.roceverbs.verbs;
  requires io.netty.common;
  requires io.netty.transport;
  requires org.jctools.core;
  requires org.slf4j;
  requires static org.jspecify;

  exports io.roceverbs.sim;
  exports io.roceverbs.sim.diagram;
  exports io.roceverbs.sim.fabric.impair;
  exports io.roceverbs.sim.fault;
  exports io.roceverbs.sim.profile;
  exports io.roceverbs.sim.trace;
  exports io.roceverbs.sim.ulp;
  exports io.roceverbs.sim.wire;

  provides io.roceverbs.verbs.VerbsProvider with
      io.roceverbs.sim.SimVerbsProvider;
}
