package io.roceverbs.sim.qp;

import io.roceverbs.sim.profile.DeviceProfile;
import io.roceverbs.sim.profile.WireSwitch;

/**
 * What the profile of a device says about its wire, in the form in which the engines ask for it.
 * Read from the profile once, since a packet has no time to look things up.
 *
 * @param sevenIsInfinite whether retry_cnt 7 means retries without end
 * @param sequenceNakCostsRetry whether a PSN sequence NAK costs a retry
 * @param ackTimerTickNanos ACK timeouts are rounded up to a multiple of this
 * @param stopsIdleAckTimer whether the ACK timer stops when all is acknowledged
 * @param naksBehindRnr whether a sequence NAK follows an RNR NAK
 * @param acknowledgesEveryDuplicate whether repeated requests that do not ask are acknowledged
 * @param waitsInsideRead whether a gap inside the responses of a READ waits for the timer
 * @param dropsReplayOfDeadKey whether a repeated READ whose key died is dropped
 * @param restartsPartialReplay whether the answer to the rest of a READ begins as a new one
 * @param recyclesReadDepth whether READs beyond the depth take the place of the oldest
 * @param dropsReservedOpcodes whether reserved opcodes are dropped
 * @param acceptsShortSendFirst whether a SEND FIRST may be shorter than the path MTU
 * @param raisesCommunicationEstablished whether COMM_EST is raised at all
 * @param acknowledgesAfter how many requests that ask share an acknowledgement
 * @param usesCredits whether credits are sent and heeded
 * @param duplicateBeforeFirstNamesAllOnes whether a repeated request before the first one is
 *     acknowledged with PSN 0xFFFFFF
 */
record TransportRules(
    boolean sevenIsInfinite,
    boolean sequenceNakCostsRetry,
    long ackTimerTickNanos,
    boolean stopsIdleAckTimer,
    boolean naksBehindRnr,
    boolean acknowledgesEveryDuplicate,
    boolean waitsInsideRead,
    boolean dropsReplayOfDeadKey,
    boolean restartsPartialReplay,
    boolean recyclesReadDepth,
    boolean dropsReservedOpcodes,
    boolean acceptsShortSendFirst,
    boolean raisesCommunicationEstablished,
    int acknowledgesAfter,
    boolean usesCredits,
    boolean duplicateBeforeFirstNamesAllOnes) {
  private static final long TICK_NANOS = 4_000_000;

  static TransportRules of(DeviceProfile profile) {
    boolean exact = profile.is(WireSwitch.AckTimer.EXACT);
    return new TransportRules(
        profile.is(WireSwitch.RetryCountSeven.INFINITE),
        profile.is(WireSwitch.SequenceNakCostsRetry.YES),
        exact ? 1 : TICK_NANOS,
        exact,
        profile.is(WireSwitch.NakBehindRnr.YES),
        profile.is(WireSwitch.DuplicateAck.ALWAYS),
        profile.is(WireSwitch.ResponseGap.WAIT),
        profile.is(WireSwitch.DuplicateReadDeadKey.DROP),
        profile.is(WireSwitch.PartialReadReplay.RESTART),
        profile.is(WireSwitch.ReadDepthExceeded.RECYCLE),
        profile.is(WireSwitch.ReservedOpcode.DROP),
        profile.is(WireSwitch.ShortFirst.ACCEPT),
        !profile.is(WireSwitch.CommunicationEstablished.NEVER),
        switch (profile.get(WireSwitch.AckCoalescing.class)) {
          case NONE -> 1;
          case EVERY_FOURTH -> 4;
        },
        profile.is(WireSwitch.Credits.ON),
        profile.is(WireSwitch.DuplicateBeforeFirst.ALL_ONES));
  }
}
