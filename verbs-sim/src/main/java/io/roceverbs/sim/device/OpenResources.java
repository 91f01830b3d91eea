package io.roceverbs.sim.device;

import java.lang.StackWalker.StackFrame;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The open verbs objects of a device, in the order in which they were made, each with the place of
 * the program that made it (rule LEAK-REPORT).
 *
 * <p>A doubly linked list through the objects' own entries, so that a close costs the same however
 * many are open.
 */
public final class OpenResources {
  /** Frames of these are the library's; the first other one is the program. */
  private static final List<String> LIBRARY =
      List.of(
          "io.roceverbs.verbs.",
          "io.roceverbs.sim.device.Sim",
          "io.roceverbs.sim.device.DomainMemory",
          "io.roceverbs.sim.device.OpenResources");

  private static final StackWalker STACK = StackWalker.getInstance();

  private boolean remembersPlaces = true;
  private @Nullable Resource first;
  private @Nullable Resource last;

  OpenResources() {}

  /** One open object. */
  public static final class Resource {
    private final OpenResources list;
    private final Object object;
    private final @Nullable StackFrame createdAt;
    private @Nullable Resource previous;
    private @Nullable Resource next;

    private Resource(OpenResources list, Object object, @Nullable StackFrame createdAt) {
      this.list = list;
      this.object = object;
      this.createdAt = createdAt;
    }

    /** The object is closed. */
    void release() {
      list.remove(this);
    }

    /** The object in words. */
    public String description() {
      return object.toString();
    }

    /** Where it was made, as a line of a stack trace; empty if places are not remembered. */
    public String createdAt() {
      return createdAt == null ? "" : CallPlace.text(createdAt.toStackTraceElement());
    }
  }

  /** Whether the place of each object made from now on is remembered, which costs some time. */
  public void remembersPlaces(boolean value) {
    remembersPlaces = value;
  }

  Resource add(Object object) {
    Resource resource = new Resource(this, object, remembersPlaces ? place() : null);
    resource.previous = last;
    if (last == null) {
      first = resource;
    } else {
      last.next = resource;
    }
    last = resource;
    return resource;
  }

  private static @Nullable StackFrame place() {
    return STACK.walk(
        frames ->
            frames.filter(frame -> !isLibrary(frame.getClassName())).findFirst().orElse(null));
  }

  private static boolean isLibrary(String className) {
    for (String start : LIBRARY) {
      if (className.startsWith(start)) {
        return true;
      }
    }
    return false;
  }

  private void remove(Resource resource) {
    Resource before = resource.previous;
    Resource after = resource.next;
    if (before == null) {
      first = after;
    } else {
      before.next = after;
    }
    if (after == null) {
      last = before;
    } else {
      after.previous = before;
    }
  }

  /** All that is open, oldest first. */
  public List<Resource> list() {
    List<Resource> open = new ArrayList<>();
    for (Resource resource = first; resource != null; resource = resource.next) {
      open.add(resource);
    }
    return open;
  }
}
