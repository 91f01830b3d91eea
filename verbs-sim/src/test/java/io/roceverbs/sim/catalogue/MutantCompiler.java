package io.roceverbs.sim.catalogue;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Compiles the one source that a mutant changes, against the classes of the build. */
final class MutantCompiler {
  private final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
  private final Path sources;

  MutantCompiler(Path sources) {
    this.sources = sources;
  }

  /**
   * Compiles a mutant into a folder.
   *
   * @return what the compiler said, empty if all is well
   */
  String compile(Mutant mutant, Path folder) throws IOException {
    Path source = folder.resolve("source").resolve(mutant.path());
    Files.createDirectories(source.getParent());
    Files.writeString(source, mutant.applyTo(Files.readString(sources.resolve(mutant.path()))));
    StringWriter errors = new StringWriter();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      boolean good =
          compiler
              .getTask(
                  errors,
                  files,
                  null,
                  List.of("-proc:none", "-nowarn", "-d", folder.toString()),
                  null,
                  files.getJavaFileObjects(source))
              .call();
      return good ? "" : errors.toString();
    }
  }
}
