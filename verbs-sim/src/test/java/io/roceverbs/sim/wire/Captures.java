package io.roceverbs.sim.wire;

import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** The capture files among the test resources. */
final class Captures {
  private Captures() {}

  /** All files, by name. */
  static List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(folder())) {
      return files.filter(file -> file.toString().endsWith(".pcap")).sorted().toList();
    }
  }

  static Path file(String name) {
    return folder().resolve(name);
  }

  private static Path folder() {
    URL url = Objects.requireNonNull(Captures.class.getResource("/captures"));
    try {
      return Path.of(url.toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
