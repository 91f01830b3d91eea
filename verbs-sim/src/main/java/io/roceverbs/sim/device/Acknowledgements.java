package io.roceverbs.sim.device;

import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.VerbsException;
import java.util.List;
import java.util.stream.Collectors;

/** The acknowledgements of the events of one object, which its destruction waits for. */
final class Acknowledgements implements UlpWait {
  private final DeviceHost host;
  private final Object owner;
  private final List<EventSource> sources;

  Acknowledgements(DeviceHost host, Object owner, EventSource... sources) {
    this.host = host;
    this.owner = owner;
    this.sources = List.of(sources);
  }

  /**
   * Waits while acknowledgements are missing. Others may do anything meanwhile, so a caller that
   * has waited checks anew whatever it knew.
   *
   * @return whether it has waited
   * @throws VerbsException EBUSY if nobody is left who could acknowledge
   */
  boolean await(String call) {
    if (isOver()) {
      return false;
    }
    // Rule EVENT-ACKNOWLEDGE: as in C the call blocks, but not for ever when it can be known.
    if (!host.awaitOthers(this)) {
      throw new VerbsException(Errno.EBUSY, call, describeMissing());
    }
    return true;
  }

  private String describeMissing() {
    return sources.stream()
        .filter(source -> !source.isAllAcknowledged())
        .map(EventSource::describeMissing)
        .collect(Collectors.joining("; "));
  }

  @Override
  public boolean isOver() {
    for (EventSource source : sources) {
      if (!source.isAllAcknowledged()) {
        return false;
      }
    }
    return true;
  }

  @Override
  public String describe() {
    return "acknowledgements, to close " + owner + "; " + describeMissing();
  }
}
