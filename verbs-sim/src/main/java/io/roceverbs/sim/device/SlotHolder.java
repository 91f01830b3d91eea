package io.roceverbs.sim.device;

/** Whose queue slots a poll frees: the queue pair of a completion. */
interface SlotHolder {
  /**
   * Called when a completion is polled, by whichever thread does: its queue slots are free again
   * (rule SLOT-AT-POLL).
   *
   * @param send whether those of the send queue
   * @param freesUpTo the queue position before which all slots are free
   */
  void polled(boolean send, long freesUpTo);
}
