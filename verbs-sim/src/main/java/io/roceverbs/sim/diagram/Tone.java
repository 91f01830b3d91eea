package io.roceverbs.sim.diagram;

/** How a step is to be taken by the reader. */
enum Tone {
  /** The usual course. */
  PLAIN,

  /** Something became usable. */
  GOOD,

  /** Nothing failed yet, but here begins what will. */
  WARNING,

  /** A failure. */
  FAILURE,

  /** The ULP speaks about itself. */
  NOTE
}
