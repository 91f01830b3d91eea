module consumer {
  requires transitive io.roceverbs.verbs;
  requires io.roceverbs.sim;

  exports consumer;
}
