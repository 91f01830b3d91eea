package io.roceverbs.sim;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Keeps the packages in the order of a packet's way, and the protocol free of everything that is
 * not protocol.
 */
class ArchitectureTest {
  private static final String ROOT = "io.roceverbs.sim";

  /** A package may use those before it, never one behind it. */
  private static final List<String> ORDER =
      List.of(
          ROOT + ".trace",
          ROOT + ".wire",
          ROOT + ".profile",
          ROOT + ".memory",
          ROOT + ".qp",
          ROOT + ".ulp",
          ROOT + ".fault",
          ROOT + ".device",
          ROOT + ".fabric.impair",
          ROOT + ".fabric",
          ROOT,
          ROOT + ".diagram");

  private static final String[] SANS_IO = {
    ROOT + ".trace..", ROOT + ".wire..", ROOT + ".profile..", ROOT + ".memory..", ROOT + ".qp.."
  };

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(ROOT);

  @Test
  void noPackageImportsOneThatComesLaterOnAPacketsWay() {
    for (int i = 0; i < ORDER.size(); i++) {
      for (String later : ORDER.subList(i + 1, ORDER.size())) {
        check(
            noClasses()
                .that()
                .resideInAPackage(ORDER.get(i))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(later));
      }
    }
  }

  @Test
  void everyPackageHasItsPlaceInTheOrder() {
    check(noClasses().should().resideOutsideOfPackages(ORDER.toArray(String[]::new)));
  }

  @Test
  void packagesAreFreeOfCycles() {
    check(slices().matching(ROOT + ".(*)..").should().beFreeOfCycles());
  }

  @Test
  void protocolEnginesUseNoNettyNoClockNoThreadAndNoChance() {
    check(
        noClasses()
            .that()
            .resideInAnyPackage(SANS_IO)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                "io.netty..",
                "java.util.concurrent..",
                "java.time..",
                "java.util.random..",
                "org.slf4j.."));
    check(
        noClasses()
            .that()
            .resideInAnyPackage(SANS_IO)
            .should()
            .dependOnClassesThat()
            .belongToAnyOf(
                Thread.class,
                java.util.Random.class,
                java.util.SplittableRandom.class,
                java.util.Timer.class));
    check(
        noClasses()
            .that()
            .resideInAnyPackage(SANS_IO)
            .should()
            .callMethod(System.class, "nanoTime"));
    check(
        noClasses()
            .that()
            .resideInAnyPackage(SANS_IO)
            .should()
            .callMethod(System.class, "currentTimeMillis"));
    check(noClasses().that().resideInAnyPackage(SANS_IO).should().callMethod(Math.class, "random"));
    check(
        noClasses()
            .that()
            .resideInAnyPackage(SANS_IO)
            .should()
            .callMethod(System.class, "identityHashCode", Object.class));
  }

  @Test
  void protocolEnginesDoNotDependOnTheOrderOfAHash() {
    check(
        noClasses()
            .that()
            .resideInAnyPackage(SANS_IO)
            .should()
            .dependOnClassesThat()
            .belongToAnyOf(
                java.util.HashMap.class, java.util.HashSet.class, java.util.IdentityHashMap.class));
  }

  @Test
  void onlyTheFabricKnowsNetty() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackages(ROOT + ".fabric", ROOT + ".fabric.impair")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.netty.."));
  }

  @Test
  void noTextDependsOnTheLocale() {
    check(noClasses().should().callMethod(String.class, "format", String.class, Object[].class));
    check(noClasses().should().callMethod(String.class, "formatted", Object[].class));
  }

  @Test
  void nothingWritesToTheConsole() {
    check(noClasses().should().accessField(System.class, "out"));
    check(noClasses().should().accessField(System.class, "err"));
  }

  private static void check(ArchRule rule) {
    rule.check(CLASSES);
  }
}
