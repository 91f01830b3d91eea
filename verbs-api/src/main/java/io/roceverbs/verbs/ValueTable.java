package io.roceverbs.verbs;

import java.util.Arrays;
import java.util.Comparator;
import java.util.function.ToIntFunction;

/**
 * Finds the constant of an enum by its number in the C ABI. The numbers have gaps and may be
 * negative, so neither the ordinal nor a plain array would do; a search in sorted values allocates
 * nothing, unlike a map with boxed keys.
 */
final class ValueTable<E extends Enum<E>> {
  private final String enumName;
  private final int[] values;
  private final E[] constants;

  private ValueTable(String enumName, int[] values, E[] constants) {
    this.enumName = enumName;
    this.values = values;
    this.constants = constants;
  }

  static <E extends Enum<E>> ValueTable<E> of(Class<E> type, ToIntFunction<E> valueOf) {
    E[] constants = type.getEnumConstants();
    Arrays.sort(constants, Comparator.comparingInt(valueOf));
    int[] values = Arrays.stream(constants).mapToInt(valueOf).toArray();
    for (int i = 1; i < values.length; i++) {
      assert values[i - 1] != values[i] : type + " has two constants with value " + values[i];
    }
    return new ValueTable<>(type.getSimpleName(), values, constants);
  }

  E get(int value) {
    int index = Arrays.binarySearch(values, value);
    if (index < 0) {
      throw new IllegalArgumentException(
          "no " + enumName + " has the value " + value + "; values are " + Arrays.toString(values));
    }
    return constants[index];
  }
}
