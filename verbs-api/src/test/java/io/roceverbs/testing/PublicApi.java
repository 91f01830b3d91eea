package io.roceverbs.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The public API of a module as sorted text: every type that a package exported to all shows, with
 * its public and protected members.
 *
 * <p>The text is kept under version control, so that each change of the API is seen in review and
 * none is made by accident.
 */
public final class PublicApi {
  private static final String UPDATE_PROPERTY = "api.update";
  private static final String CLASS_SUFFIX = ".class";
  private static final Pattern QUALIFIED_TYPE =
      Pattern.compile("\\b[a-z]\\w*(?:\\.[a-z]\\w*)+\\.[A-Z][\\w$]*");

  private final ModuleDescriptor descriptor;
  private final List<Class<?>> types;

  private PublicApi(ModuleReference module) throws IOException {
    descriptor = module.descriptor();
    Set<String> exported =
        descriptor.exports().stream()
            .filter(exports -> !exports.isQualified())
            .map(ModuleDescriptor.Exports::source)
            .collect(Collectors.toSet());
    try (ModuleReader reader = module.open();
        Stream<String> resources = reader.list()) {
      types =
          resources
              .filter(name -> name.endsWith(CLASS_SUFFIX) && name.indexOf('/') > 0)
              .filter(name -> !name.endsWith("package-info.class"))
              .map(name -> name.substring(0, name.length() - CLASS_SUFFIX.length()))
              .map(name -> name.replace('/', '.'))
              .filter(name -> exported.contains(name.substring(0, name.lastIndexOf('.'))))
              .<Class<?>>map(PublicApi::load)
              .filter(PublicApi::isVisible)
              .sorted(Comparator.comparing(Class::getName))
              .toList();
    }
  }

  /**
   * Compares the API of the one module in {@code target/classes} with the recorded text, or records
   * it anew when the system property {@code api.update} is {@code true}.
   *
   * @param recorded the file of the recorded text, relative to the module's folder
   * @throws IOException if a class or the file can't be read or written
   */
  public static void assertIsRecordedIn(Path recorded) throws IOException {
    String actual = ofCompiledModule().text();
    if (Boolean.getBoolean(UPDATE_PROPERTY)) {
      Files.createDirectories(recorded.toAbsolutePath().getParent());
      Files.writeString(recorded, actual);
    }
    assertThat(recorded)
        .as(
            """
            the public API against its record.
            `expecting` is what the classes show now, `but was` is what the record says.
            If the change is wanted, write it down, and commit it with the code:
            mvn test -pl verbs-api,verbs-sim -Dtest=PublicApiTest -D%s=true
            """
                .formatted(UPDATE_PROPERTY))
        .exists()
        .hasContent(actual);
  }

  /**
   * Checks that each type in the signature of a member is one that a user of the module can name:
   * of the JDK, of this API, or of a module that is required transitively.
   *
   * @throws IOException if a class can't be read
   */
  public static void assertShowsNoHiddenType() throws IOException {
    assertThat(ofCompiledModule().hiddenTypes())
        .as("types in signatures of the public API that its users can't name")
        .isEmpty();
  }

  private static PublicApi ofCompiledModule() throws IOException {
    Path classes = Path.of("target", "classes");
    return new PublicApi(
        ModuleFinder.of(classes).findAll().stream()
            .findFirst()
            .orElseThrow(() -> new IOException("No module-info.class in " + classes)));
  }

  private String text() {
    return types.stream().map(TypeText::describe).collect(Collectors.joining("\n"));
  }

  private List<String> hiddenTypes() {
    Set<String> own = types.stream().map(Class::getName).collect(Collectors.toSet());
    return types.stream()
        .flatMap(TypeText::members)
        .flatMap(
            member ->
                QUALIFIED_TYPE
                    .matcher(member)
                    .results()
                    .map(MatchResult::group)
                    .filter(name -> !own.contains(name) && !comesWithTheModule(name))
                    .map(name -> name + " in: " + member))
        .toList();
  }

  /** A module of ours has the name of its package, so that the name tells where a type is from. */
  private boolean comesWithTheModule(String typeName) {
    return typeName.startsWith("java.")
        || descriptor.requires().stream()
            .filter(
                module ->
                    module.modifiers().contains(ModuleDescriptor.Requires.Modifier.TRANSITIVE))
            .anyMatch(module -> typeName.startsWith(module.name() + "."));
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(name, false, Thread.currentThread().getContextClassLoader());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(name + " is in the module but can't be loaded", e);
    }
  }

  /** A type shows if it and all types around it are public, or protected where that is possible. */
  private static boolean isVisible(Class<?> type) {
    if (type.isAnonymousClass() || type.isLocalClass() || type.isSynthetic()) {
      return false;
    }
    boolean shows = (type.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0;
    Class<?> outer = type.getEnclosingClass();
    return shows && (outer == null || isVisible(outer));
  }
}
