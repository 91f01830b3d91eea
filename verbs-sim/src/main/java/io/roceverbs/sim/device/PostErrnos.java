package io.roceverbs.sim.device;

import io.roceverbs.sim.profile.DeviceProfile;
import io.roceverbs.sim.profile.PostingSwitch;
import io.roceverbs.verbs.Errno;

/**
 * The error numbers of a call that posts sends, as far as devices differ in them.
 *
 * @param illegal of a request that this state, or this queue pair's segments, can never take
 * @param inlineTooLong of a request with too much inline data
 */
record PostErrnos(Errno illegal, Errno inlineTooLong) {
  /** Those of a post. */
  static PostErrnos ofPost(DeviceProfile profile) {
    return new PostErrnos(
        profile.is(PostingSwitch.PostErrno.EINVAL) ? Errno.EINVAL : Errno.ENOMEM,
        switch (profile.get(PostingSwitch.InlineTooLong.class)) {
          case EINVAL, ENOSPC_AT_COMPLETE -> Errno.EINVAL;
          case ENOMEM -> Errno.ENOMEM;
        });
  }

  /** Those of the complete of a batch. */
  static PostErrnos ofBatch(DeviceProfile profile) {
    return new PostErrnos(
        Errno.EINVAL,
        switch (profile.get(PostingSwitch.InlineTooLong.class)) {
          case EINVAL -> Errno.EINVAL;
          case ENOSPC_AT_COMPLETE -> Errno.ENOSPC;
          case ENOMEM -> Errno.ENOMEM;
        });
  }
}
