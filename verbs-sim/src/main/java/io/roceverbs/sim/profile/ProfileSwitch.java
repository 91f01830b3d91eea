package io.roceverbs.sim.profile;

/**
 * One point in which devices differ: each switch is an enumeration, each of its constants one way
 * to be. A {@link DeviceProfile} has a value for every switch.
 *
 * <p>Immutable, as all that implements it.
 */
public sealed interface ProfileSwitch permits PostingSwitch, ErrorSwitch, WireSwitch, Quirk {}
