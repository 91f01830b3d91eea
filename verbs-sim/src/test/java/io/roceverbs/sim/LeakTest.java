package io.roceverbs.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.roceverbs.sim.conformance.Checks;
import io.roceverbs.verbs.AddressHandle;
import io.roceverbs.verbs.AddressVector;
import io.roceverbs.verbs.CompletionQueue;
import io.roceverbs.verbs.DeviceContext;
import io.roceverbs.verbs.FastRegistrationRegion;
import io.roceverbs.verbs.Gid;
import io.roceverbs.verbs.MemoryRegion;
import io.roceverbs.verbs.ProtectionDomain;
import io.roceverbs.verbs.QueuePair;
import io.roceverbs.verbs.QueuePairInit;
import io.roceverbs.verbs.SharedReceiveQueue;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a fabric says about objects that are open when it is closed. */
class LeakTest {
  /** The line of the caller, as the report names it; the object was made so many lines before. */
  private static String place(String method, int linesBefore) {
    StackWalker.StackFrame caller =
        StackWalker.getInstance().walk(frames -> frames.skip(1).findFirst().orElseThrow());
    return "io.roceverbs.sim.LeakTest."
        + method
        + "(LeakTest.java:"
        + (caller.getLineNumber() - linesBefore)
        + ")";
  }

  private static Fabric failing() {
    return Fabric.builder().leakCheck(LeakCheck.FAIL).build();
  }

  @Test
  @Checks("LEAK-REPORT")
  void eachKindOfObjectIsNamedWithTheLineThatMadeIt() {
    Fabric fabric = failing();
    String method = "eachKindOfObjectIsNamedWithTheLineThatMadeIt";
    Node node = fabric.addNode("a");
    DeviceContext context = node.device().open();
    String contextPlace = place(method, 1);
    ProtectionDomain domain = context.allocateProtectionDomain();
    String domainPlace = place(method, 1);
    CompletionQueue queue = context.createCompletionQueue(4);
    String queuePlace = place(method, 1);
    MemoryRegion region = domain.registerMemory(ByteBuffer.allocate(8));
    String regionPlace = place(method, 1);
    FastRegistrationRegion fast = domain.allocateFastRegistrationRegion(1);
    String fastPlace = place(method, 1);
    QueuePair queuePair = domain.createQueuePair(QueuePairInit.reliableConnected(queue, 1, 1));
    String queuePairPlace = place(method, 1);
    List<Leak> expected =
        List.of(
            new Leak("a", "DeviceContext of a", contextPlace),
            new Leak("a", "ProtectionDomain 1 of a", domainPlace),
            new Leak("a", "CompletionQueue 1 of a with 0 of 4", queuePlace),
            new Leak("a", region.toString(), regionPlace),
            new Leak("a", fast.toString(), fastPlace),
            new Leak("a", "RC queue pair 0x000011 of a", queuePairPlace));
    assertThat(fabric.leaks()).isEqualTo(expected);
    LeakException exception = catchThrowableOfType(LeakException.class, fabric::close);
    assertThat(exception)
        .hasMessage(
            "the fabric was closed with 6 objects open:"
                + "\n  a: DeviceContext of a, created at "
                + contextPlace
                + "\n  a: ProtectionDomain 1 of a, created at "
                + domainPlace
                + "\n  a: CompletionQueue 1 of a with 0 of 4, created at "
                + queuePlace
                + "\n  a: "
                + region
                + ", created at "
                + regionPlace
                + "\n  a: "
                + fast
                + ", created at "
                + fastPlace
                + "\n  a: "
                + queuePair
                + ", created at "
                + queuePairPlace);
    assertThat(exception.leaks()).isEqualTo(expected);
  }

  @Test
  @Checks("LEAK-REPORT")
  void aFabricThatFailsOnLeaksIsClosedAllTheSame() {
    Fabric fabric = failing();
    fabric.addNode("a").device().open();
    assertThatThrownBy(fabric::close)
        .isInstanceOf(LeakException.class)
        .hasMessageStartingWith("the fabric was closed with 1 object open:\n  a: DeviceContext");
    fabric.close();
    assertThatThrownBy(fabric::nanoTime).hasMessageContaining("the fabric is closed");
    assertThat(fabric.leaks()).hasSize(1);
  }

  @Test
  void leaksAreNamedNodeByNodeInTheOrderOfTheirMaking() {
    Fabric fabric = Fabric.create();
    Node a = fabric.addNode("a");
    Node b = fabric.addNode("b");
    DeviceContext ofB = b.device().open();
    DeviceContext ofA = a.device().open();
    ProtectionDomain first = ofA.allocateProtectionDomain();
    ofA.allocateProtectionDomain();
    ProtectionDomain last = ofA.allocateProtectionDomain();
    first.close();
    last.close();
    assertThat(fabric.leaks())
        .extracting(Leak::object)
        .containsExactly("DeviceContext of a", "ProtectionDomain 2 of a", "DeviceContext of b");
    // By default a leak is no failure.
    fabric.close();
    assertThat(fabric.leaks()).hasSize(3);
    assertThat(ofB.isOpen()).isTrue();
  }

  @Test
  void aProgramThatClosesEverythingLeaksNothing() {
    Fabric fabric = failing();
    DeviceContext context = fabric.addNode("a").device().open();
    ProtectionDomain domain = context.allocateProtectionDomain();
    CompletionQueue queue = context.createCompletionQueue(4);
    MemoryRegion region = domain.registerMemory(ByteBuffer.allocate(8));
    FastRegistrationRegion fast = domain.allocateFastRegistrationRegion(1);
    QueuePair queuePair = domain.createQueuePair(QueuePairInit.reliableConnected(queue, 1, 1));
    assertThatThrownBy(domain::close).hasMessageContaining("EBUSY");
    SharedReceiveQueue shared = domain.createSharedReceiveQueue(4, 1);
    AddressHandle handle =
        domain.createAddressHandle(AddressVector.to(new Gid(0, 0xFFFF_0A00_0009L)));
    assertThat(fabric.leaks()).hasSize(8);
    assertThat(fabric.leaks().get(6).object()).isEqualTo("SharedReceiveQueue of a with 0 of 4");
    assertThat(fabric.leaks().get(7).object()).isEqualTo("AddressHandle to ::ffff:10.0.0.9");
    shared.close();
    handle.close();
    handle.close();
    queuePair.close();
    queuePair.close();
    region.close();
    fast.close();
    domain.close();
    queue.close();
    context.close();
    assertThat(fabric.leaks()).isEmpty();
    fabric.close();
    assertThat(fabric.leaks()).isEmpty();
  }

  @Test
  void withTheCheckOffThePlacesAreNotRemembered() {
    Fabric fabric = Fabric.builder().leakCheck(LeakCheck.OFF).build();
    fabric.addNode("a").device().open();
    fabric.close();
    assertThat(fabric.leaks()).containsExactly(new Leak("a", "DeviceContext of a", ""));
    assertThat(fabric.leaks().get(0)).hasToString("a: DeviceContext of a");
  }
}
