package io.roceverbs.sim.profile;

import io.roceverbs.verbs.DeviceCapability;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * A kind of device: its limits, its capabilities, and a value for each {@link ProfileSwitch}. How
 * devices differ stands here and nowhere else.
 *
 * <pre>{@code
 * fabric.addNode(NodeConfiguration.named("target").withProfile(DeviceProfile.irdma()));
 * DeviceProfile profile = DeviceProfile.strict().with(WireSwitch.LocalInvalidateOrder.WAIT_EARLIER);
 * }</pre>
 *
 * <p>Immutable; each {@code with...} method returns a changed copy.
 */
public final class DeviceProfile {
  private static final DeviceProfile STRICT = StandardProfiles.makeStrict();
  private static final DeviceProfile SOFT_ROCE = StandardProfiles.makeSoftRoce(STRICT);
  private static final DeviceProfile CONNECT_X = StandardProfiles.makeConnectX(STRICT);
  private static final DeviceProfile IRDMA = StandardProfiles.makeIrdma(STRICT);
  private static final DeviceProfile FALSE_INVALIDATE =
      STRICT.named("falseInvalidate").with(Quirk.SendWithInvalidate.FAILS);

  private final String name;
  private final DeviceLimits limits;
  private final Set<DeviceCapability> capabilities;
  private final Map<Class<?>, ProfileSwitch> values;

  DeviceProfile(
      String name,
      DeviceLimits limits,
      Set<DeviceCapability> capabilities,
      Map<Class<?>, ProfileSwitch> values) {
    EnumSet<DeviceCapability> copy = EnumSet.noneOf(DeviceCapability.class);
    copy.addAll(capabilities);
    this.name = name;
    this.limits = limits;
    this.capabilities = Collections.unmodifiableSet(copy);
    this.values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
  }

  /**
   * The default: what the InfiniBand rules say, and the least that a ULP can rely on.
   *
   * @return always the same profile
   */
  public static DeviceProfile strict() {
    return STRICT;
  }

  /**
   * Soft-RoCE, the Linux driver rdma_rxe, as it was measured with Linux 6.1.
   *
   * @return always the same profile
   */
  public static DeviceProfile softRoce() {
    return SOFT_ROCE;
  }

  /**
   * What the mlx5 driver and its provider in rdma-core show.
   *
   * @return always the same profile
   */
  public static DeviceProfile connectX() {
    return CONNECT_X;
  }

  /**
   * What the irdma driver and its provider in rdma-core show, on RoCE.
   *
   * @return always the same profile
   */
  public static DeviceProfile irdma() {
    return IRDMA;
  }

  /**
   * A device that announces SEND_WITH_INV without being able to do it; else as {@link #strict()}.
   *
   * @return always the same profile
   */
  public static DeviceProfile falseInvalidate() {
    return FALSE_INVALIDATE;
  }

  /**
   * Its name, as in the methods that give it; a changed copy keeps it.
   *
   * @return the name
   */
  public String name() {
    return name;
  }

  /**
   * How much it offers.
   *
   * @return the limits
   */
  public DeviceLimits limits() {
    return limits;
  }

  /**
   * What it says that it can do.
   *
   * @return an unmodifiable set, in the order of the bits
   */
  public Set<DeviceCapability> capabilities() {
    return capabilities;
  }

  /**
   * Whether it says that it can do something.
   *
   * @param capability what
   * @return whether it is among the capabilities
   */
  public boolean has(DeviceCapability capability) {
    return capabilities.contains(capability);
  }

  /**
   * Whether a switch has a value.
   *
   * @param value one of the values of the switch
   * @return whether it is the present one
   */
  public boolean is(ProfileSwitch value) {
    return values.get(value.getClass()) == value;
  }

  /**
   * The value of a switch.
   *
   * @param type the switch
   * @param <S> the switch
   * @return its value
   */
  public <S extends Enum<S> & ProfileSwitch> S get(Class<S> type) {
    ProfileSwitch value = values.get(type);
    if (value == null) {
      throw new AssertionError("every switch has a value, and " + type + " has none");
    }
    return type.cast(value);
  }

  /**
   * A copy with other values of some switches.
   *
   * @param changed the new values; of two for one switch the later one counts
   * @return the changed copy
   */
  public DeviceProfile with(ProfileSwitch... changed) {
    Map<Class<?>, ProfileSwitch> copy = new LinkedHashMap<>(values);
    for (ProfileSwitch value : changed) {
      copy.put(value.getClass(), value);
    }
    return new DeviceProfile(name, limits, capabilities, copy);
  }

  /**
   * A copy with other limits.
   *
   * @param changed all limits
   * @return the changed copy
   */
  public DeviceProfile withLimits(DeviceLimits changed) {
    return new DeviceProfile(name, changed, capabilities, values);
  }

  /**
   * A copy that says it can do something more.
   *
   * @param capability what
   * @return the changed copy
   */
  public DeviceProfile withCapability(DeviceCapability capability) {
    EnumSet<DeviceCapability> more = EnumSet.of(capability);
    more.addAll(capabilities);
    return new DeviceProfile(name, limits, more, values);
  }

  /**
   * A copy that does not say it can do something.
   *
   * @param capability what
   * @return the changed copy
   */
  public DeviceProfile withoutCapability(DeviceCapability capability) {
    EnumSet<DeviceCapability> fewer = EnumSet.noneOf(DeviceCapability.class);
    fewer.addAll(capabilities);
    fewer.remove(capability);
    return new DeviceProfile(name, limits, fewer, values);
  }

  /**
   * A copy with another name.
   *
   * @param other the name
   * @return the changed copy
   */
  public DeviceProfile named(String other) {
    return new DeviceProfile(other, limits, capabilities, values);
  }

  /**
   * The values of all switches.
   *
   * @return an unmodifiable map from the switch to its value, in a fixed order
   */
  public Map<Class<?>, ProfileSwitch> switches() {
    return values;
  }

  @Override
  public String toString() {
    return "DeviceProfile " + name;
  }
}
