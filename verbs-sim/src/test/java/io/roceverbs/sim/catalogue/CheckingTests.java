package io.roceverbs.sim.catalogue;

import io.roceverbs.sim.conformance.Checks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.platform.commons.annotation.Testable;
import org.junit.platform.commons.support.AnnotationSupport;

/** Finds the tests of this module that name an entry of the catalogue by {@link Checks}. */
public final class CheckingTests {
  private CheckingTests() {}

  /** The tests of each id that is named. */
  public static Map<String, SortedSet<CheckingTest>> byId() {
    Map<String, SortedSet<CheckingTest>> tests = new TreeMap<>();
    for (Class<?> type : testClasses()) {
      for (Method method : type.getDeclaredMethods()) {
        if (AnnotationSupport.isAnnotated(method, Testable.class)) {
          for (String id : checkedIds(method)) {
            tests
                .computeIfAbsent(id, unused -> new TreeSet<>())
                .add(new CheckingTest(type.getName(), method.getName()));
          }
        }
      }
    }
    return tests;
  }

  /** The ids that a test method names, itself or by one of the classes around it. */
  static SortedSet<String> checkedIds(Method method) {
    SortedSet<String> ids = new TreeSet<>(ids(method.getAnnotation(Checks.class)));
    for (Class<?> type = method.getDeclaringClass();
        type != null;
        type = type.getEnclosingClass()) {
      ids.addAll(ids(type.getAnnotation(Checks.class)));
    }
    return ids;
  }

  private static List<String> ids(Checks checks) {
    return checks == null ? List.of() : Arrays.asList(checks.value());
  }

  private static List<Class<?>> testClasses() {
    Path root = root();
    try (Stream<Path> files = Files.walk(root)) {
      List<Class<?>> classes = new ArrayList<>();
      for (Path file : files.filter(CheckingTests::isClass).sorted().toList()) {
        String path = root.relativize(file).toString();
        String name = path.substring(0, path.length() - ".class".length());
        classes.add(
            Class.forName(
                name.replace(root.getFileSystem().getSeparator(), "."),
                false,
                CheckingTests.class.getClassLoader()));
      }
      return classes;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  private static boolean isClass(Path file) {
    String name = file.getFileName().toString();
    return name.endsWith(".class") && !name.endsWith("-info.class");
  }

  /** The folder of this module's test classes. */
  private static Path root() {
    String name = CheckingTests.class.getName();
    try {
      Path path = Path.of(CheckingTests.class.getResource("CheckingTests.class").toURI());
      for (int depth = name.split("\\.").length; depth > 0; depth--) {
        path = path.getParent();
      }
      return path;
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
