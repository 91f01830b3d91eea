package io.roceverbs.sim.device;

import io.roceverbs.verbs.Errno;

/** Why a request can't be posted. */
record PostFault(Errno errno, String detail) {
  /** The fault of a request that can never be right. */
  static PostFault invalid(String detail) {
    return new PostFault(Errno.EINVAL, detail);
  }
}
