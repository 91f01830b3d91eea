package io.roceverbs.sim.catalogue;

import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;

/**
 * Loads the classes of this module and of its tests anew, those of a mutant first; everything else
 * is shared.
 */
final class ModuleClassLoader extends URLClassLoader {
  private static final String MODULE = "io.roceverbs.sim.";
  private static final String TOOL = ModuleClassLoader.class.getPackageName() + ".";

  ModuleClassLoader(List<Path> folders) {
    super(urls(folders), ModuleClassLoader.class.getClassLoader());
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(MODULE) || name.startsWith(TOOL)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded == null ? findClass(name) : loaded;
    }
  }

  private static URL[] urls(List<Path> folders) {
    URL[] urls = new URL[folders.size()];
    for (int i = 0; i < urls.length; i++) {
      try {
        urls[i] = folders.get(i).toUri().toURL();
      } catch (MalformedURLException e) {
        throw new IllegalArgumentException(e);
      }
    }
    return urls;
  }
}
