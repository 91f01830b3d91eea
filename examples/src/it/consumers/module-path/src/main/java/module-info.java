module consumer {
  requires io.roceverbs.sim;
}
