package io.roceverbs.sim.ulp;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.roceverbs.verbs.AddressHandle;
import io.roceverbs.verbs.AsyncEvent;
import io.roceverbs.verbs.CompletionChannel;
import io.roceverbs.verbs.CompletionQueue;
import io.roceverbs.verbs.Device;
import io.roceverbs.verbs.DeviceContext;
import io.roceverbs.verbs.DeviceMemory;
import io.roceverbs.verbs.ExtendedCompletionQueue;
import io.roceverbs.verbs.FastRegistrationRegion;
import io.roceverbs.verbs.MemoryRegion;
import io.roceverbs.verbs.MemoryWindow;
import io.roceverbs.verbs.ProtectionDomain;
import io.roceverbs.verbs.QueuePair;
import io.roceverbs.verbs.SendBatch;
import io.roceverbs.verbs.SharedReceiveQueue;
import io.roceverbs.verbs.ThreadDomain;
import io.roceverbs.verbs.XrcDomain;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Keeps the verbs that are tested everywhere up to date with the interfaces. */
class VerbCoverageTest {
  private static final List<Class<?>> OBJECTS =
      List.of(
          Device.class,
          DeviceContext.class,
          ProtectionDomain.class,
          ThreadDomain.class,
          MemoryRegion.class,
          FastRegistrationRegion.class,
          MemoryWindow.class,
          DeviceMemory.class,
          AddressHandle.class,
          CompletionChannel.class,
          CompletionQueue.class,
          ExtendedCompletionQueue.class,
          SharedReceiveQueue.class,
          XrcDomain.class,
          QueuePair.class,
          SendBatch.class,
          AsyncEvent.class);

  @Test
  void everyMethodOfEveryObjectIsCalledByAVerb() {
    Set<String> missing = new TreeSet<>();
    for (Class<?> object : OBJECTS) {
      for (Method method : object.getDeclaredMethods()) {
        // Device.list() asks the providers that there are, and no device.
        if (!Modifier.isStatic(method.getModifiers())) {
          missing.add(words(method));
        }
      }
    }
    assertThat(missing).hasSizeGreaterThan(100);
    missing.removeAll(called());
    assertThat(missing).isEmpty();
  }

  private static Set<String> called() {
    Set<String> called = new TreeSet<>();
    List<String> verbs = List.of(ObjectVerb.class.getName(), QueueVerb.class.getName());
    for (JavaClass caller : new ClassFileImporter().importPackagesOf(Verb.class)) {
      if (verbs.stream().anyMatch(caller.getName()::startsWith)) {
        for (JavaMethodCall call : caller.getMethodCallsFromSelf()) {
          call.getTarget().resolveMember().ifPresent(target -> called.add(words(target.reflect())));
        }
      }
    }
    return called;
  }

  private static String words(Method method) {
    return Arrays.stream(method.getParameterTypes())
        .map(Class::getSimpleName)
        .collect(
            Collectors.joining(
                ", ",
                method.getDeclaringClass().getSimpleName() + "." + method.getName() + "(",
                ")"));
  }
}
