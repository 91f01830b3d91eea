package io.roceverbs.examples;

import io.roceverbs.verbs.PathMtu;
import java.util.Arrays;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a path MTU from its number of bytes. */
final class PathMtuConverter implements ITypeConverter<PathMtu> {
  @Override
  public PathMtu convert(String value) {
    for (PathMtu mtu : PathMtu.values()) {
      if (String.valueOf(mtu.bytes()).equals(value)) {
        return mtu;
      }
    }
    String legal =
        Arrays.stream(PathMtu.values())
            .map(mtu -> String.valueOf(mtu.bytes()))
            .collect(Collectors.joining(", "));
    throw new TypeConversionException("\"" + value + "\" is none of " + legal);
  }
}
