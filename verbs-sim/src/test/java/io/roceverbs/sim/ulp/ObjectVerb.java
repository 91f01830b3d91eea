package io.roceverbs.sim.ulp;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.ConnectionSetup;
import io.roceverbs.sim.conformance.Pair;
import io.roceverbs.verbs.AccessFlag;
import io.roceverbs.verbs.AccessFlags;
import io.roceverbs.verbs.AddressHandle;
import io.roceverbs.verbs.AddressVector;
import io.roceverbs.verbs.CompletionOpcode;
import io.roceverbs.verbs.CompletionQueue;
import io.roceverbs.verbs.CompletionQueueInit;
import io.roceverbs.verbs.Device;
import io.roceverbs.verbs.DeviceContext;
import io.roceverbs.verbs.DeviceMemory;
import io.roceverbs.verbs.FastRegistrationRegion;
import io.roceverbs.verbs.Gid;
import io.roceverbs.verbs.GidEntry;
import io.roceverbs.verbs.GidType;
import io.roceverbs.verbs.MemoryRegion;
import io.roceverbs.verbs.MemoryRegionChange;
import io.roceverbs.verbs.MemoryWindow;
import io.roceverbs.verbs.MemoryWindowType;
import io.roceverbs.verbs.NodeType;
import io.roceverbs.verbs.PortState;
import io.roceverbs.verbs.ProtectionDomain;
import io.roceverbs.verbs.QueuePair;
import io.roceverbs.verbs.QueuePairAttributes;
import io.roceverbs.verbs.QueuePairInit;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.QueuePairType;
import io.roceverbs.verbs.ReceiveRequest;
import io.roceverbs.verbs.SendOpcode;
import io.roceverbs.verbs.SharedReceiveQueue;
import io.roceverbs.verbs.SharedReceiveQueueType;
import io.roceverbs.verbs.ThreadDomain;
import io.roceverbs.verbs.TransportType;
import io.roceverbs.verbs.WorkCompletion;
import io.roceverbs.verbs.WorkCompletions;
import io.roceverbs.verbs.XrcDomain;
import io.roceverbs.verbs.XrcDomainFlag;
import java.nio.ByteBuffer;

/** Verbs that make, ask, change and close objects. */
enum ObjectVerb implements Verb {
  DEVICE {
    @Override
    public void call(Pair pair) {
      Device device = pair.a.node.device();
      assertThat(device.name()).isEqualTo("a");
      assertThat(device.nodeType()).isEqualTo(NodeType.CA);
      assertThat(device.transportType()).isEqualTo(TransportType.IB);
      DeviceContext context = device.open();
      assertThat(context.device()).isSameAs(device);
      assertThat(context.queryDevice().nodeGuid()).isEqualTo(device.guid());
      assertThat(context.isOpen()).isTrue();
      context.close();
      assertThat(context.isOpen()).isFalse();
    }
  },
  QUERY_PORT {
    @Override
    public void call(Pair pair) {
      DeviceContext context = pair.a.context;
      Gid gid = pair.a.node.gid();
      assertThat(context.completionVectors()).isPositive();
      assertThat(context.queryPort(1).state()).isEqualTo(PortState.ACTIVE);
      assertThat(context.queryPortSpeed(1)).isEqualTo(1_000);
      assertThat(context.queryGid(1, 0)).isEqualTo(gid);
      GidEntry entry = new GidEntry(gid, 0, 1, GidType.ROCE_V2, 1);
      assertThat(context.queryGidEntry(1, 0)).isEqualTo(entry);
      GidEntry[] table = new GidEntry[2];
      assertThat(context.queryGidTable(table)).isEqualTo(2);
      assertThat(table[0]).isEqualTo(entry);
      assertThat(context.queryPartitionKey(1, 0)).isEqualTo(0xFFFF);
      assertThat(context.getPartitionKeyIndex(1, 0xFFFF)).isZero();
    }
  },
  PROTECTION_DOMAIN {
    @Override
    public void call(Pair pair) {
      ProtectionDomain domain = pair.a.context.allocateProtectionDomain();
      assertThat(domain.context()).isSameAs(pair.a.context);
      ProtectionDomain parent = domain.allocateParentDomain();
      parent.close();
      ThreadDomain threads = pair.a.context.allocateThreadDomain();
      assertThat(threads.context()).isSameAs(pair.a.context);
      ProtectionDomain threaded = domain.allocateParentDomain(threads);
      threaded.close();
      threads.close();
      assertThat(threads.isOpen()).isFalse();
      domain.close();
      assertThat(domain.isOpen()).isFalse();
    }
  },
  MEMORY_REGION {
    @Override
    public void call(Pair pair) {
      ProtectionDomain domain = pair.a.domain;
      ByteBuffer buffer = ByteBuffer.allocate(16);
      MemoryRegion region = domain.registerMemory(buffer, AccessFlag.LOCAL_WRITE);
      assertThat(region.protectionDomain()).isSameAs(domain);
      assertThat(region.length()).isEqualTo(16);
      assertThat(region.lkey()).isNotEqualTo(region.rkey());
      assertThat(region.address()).isNotZero();
      region.reregister(MemoryRegionChange.NONE.withAccess(AccessFlags.NONE));
      assertThat(region.access()).isEqualTo(AccessFlags.NONE);
      region.close();
      assertThat(region.isOpen()).isFalse();
      MemoryRegion chosen = domain.registerMemory(buffer, 0x7000, AccessFlags.NONE);
      assertThat(chosen.address()).isEqualTo(0x7000);
      domain.registerMemory(buffer, AccessFlags.NONE).close();
      domain.allocateNullMemoryRegion().close();
    }
  },
  FAST_REGISTRATION_REGION {
    @Override
    public void call(Pair pair) {
      FastRegistrationRegion region = pair.a.domain.allocateFastRegistrationRegion(2);
      assertThat(region.protectionDomain()).isSameAs(pair.a.domain);
      assertThat(region.pagesMax()).isEqualTo(2);
      assertThat(region.map(ByteBuffer.allocate(4096))).isEqualTo(1);
      assertThat(region.map(0x7000, ByteBuffer.allocate(100))).isEqualTo(1);
      assertThat(region.address()).isEqualTo(0x7000);
      assertThat(region.length()).isEqualTo(100);
      int key = region.nextKey();
      assertThat(region.lkey()).isEqualTo(key);
      assertThat(region.rkey()).isEqualTo(key);
      region.close();
      assertThat(region.isOpen()).isFalse();
    }
  },
  MEMORY_WINDOW {
    @Override
    public void call(Pair pair) {
      MemoryWindow window = pair.a.domain.allocateMemoryWindow(MemoryWindowType.TYPE_2);
      assertThat(window.protectionDomain()).isSameAs(pair.a.domain);
      assertThat(window.type()).isEqualTo(MemoryWindowType.TYPE_2);
      int next = window.nextRkey();
      window.restoreRkey(next);
      assertThat(window.rkey()).isEqualTo(next);
      window.close();
      assertThat(window.isOpen()).isFalse();
    }
  },
  DEVICE_MEMORY {
    @Override
    public void call(Pair pair) {
      DeviceMemory memory = pair.a.context.allocateDeviceMemory(64);
      assertThat(memory.context()).isSameAs(pair.a.context);
      assertThat(memory.length()).isEqualTo(64);
      memory.copyIn(8, ByteBuffer.wrap(new byte[] {1, 2, 3, 4}));
      ByteBuffer read = ByteBuffer.allocate(4);
      memory.copyOut(8, read);
      assertThat(read.array()).containsExactly(1, 2, 3, 4);
      AccessFlags access = AccessFlags.of(AccessFlag.ZERO_BASED);
      pair.a.domain.registerDeviceMemory(memory, 0, 64, access).close();
      memory.close();
      assertThat(memory.isOpen()).isFalse();
    }
  },
  ADDRESS_HANDLE {
    @Override
    public void call(Pair pair) {
      AddressVector vector = AddressVector.to(pair.b.node.gid());
      AddressHandle handle = pair.a.domain.createAddressHandle(vector);
      assertThat(handle.protectionDomain()).isSameAs(pair.a.domain);
      assertThat(handle.vector()).isEqualTo(vector);
      handle.close();
      assertThat(handle.isOpen()).isFalse();
      // The header that a datagram from b would have left in front of its bytes.
      ByteBuffer header = ByteBuffer.allocate(40).put(20, (byte) 0x45);
      header.putInt(32, (int) pair.b.node.gid().low()).putInt(36, (int) pair.a.node.gid().low());
      WorkCompletion received = new WorkCompletion();
      received.setSuccess(1, 2, CompletionOpcode.RECV, 48);
      received.setDatagram(0x55);
      AddressHandle wayBack = pair.a.domain.createAddressHandle(received, header, 1);
      assertThat(wayBack.vector().destination()).isEqualTo(pair.b.node.gid());
      wayBack.close();
    }
  },
  COMPLETION_QUEUE {
    @Override
    public void call(Pair pair) {
      CompletionQueue queue = pair.a.context.createCompletionQueue(4);
      assertThat(queue.context()).isSameAs(pair.a.context);
      assertThat(queue.channel()).isNull();
      assertThat(queue.poll(new WorkCompletions(1))).isZero();
      queue.resize(8);
      assertThat(queue.capacity()).isEqualTo(8);
      queue.moderate(2, 10);
      queue.close();
      assertThat(queue.isOpen()).isFalse();
      CompletionQueueInit init = CompletionQueueInit.ofCapacity(4).withAttachment("mine");
      CompletionQueue attached = pair.a.context.createCompletionQueue(init);
      assertThat(attached.attachment()).isEqualTo("mine");
      attached.close();
    }
  },
  SHARED_RECEIVE_QUEUE {
    @Override
    public void call(Pair pair) {
      SharedReceiveQueue queue = pair.a.domain.createSharedReceiveQueue(4, 1);
      assertThat(queue.protectionDomain()).isSameAs(pair.a.domain);
      assertThat(queue.type()).isEqualTo(SharedReceiveQueueType.BASIC);
      queue.post(new ReceiveRequest().reset(1));
      queue.armLimit(1);
      assertThat(queue.query().limit()).isEqualTo(1);
      queue.resize(8);
      assertThat(queue.query().maxRequests()).isEqualTo(8);
      queue.close();
      assertThat(queue.isOpen()).isFalse();
    }
  },
  XRC_DOMAIN {
    @Override
    public void call(Pair pair) {
      XrcDomain domain = pair.a.context.openXrcDomain();
      assertThat(domain.context()).isSameAs(pair.a.context);
      SharedReceiveQueue queue =
          pair.a.domain.createXrcSharedReceiveQueue(domain, pair.a.sendQueue, 4, 1);
      assertThat(queue.number()).isPositive();
      QueuePair target = domain.createTargetQueuePair();
      ConnectionSetup.standard().initialize(target);
      assertThat(target.state()).isEqualTo(QueuePairState.INIT);
      target.close();
      queue.close();
      domain.close();
      assertThat(domain.isOpen()).isFalse();
    }
  },
  SHARED_XRC_DOMAIN {
    @Override
    public void call(Pair pair) {
      XrcDomain domain = pair.a.context.openXrcDomain("shared", XrcDomainFlag.CREATE);
      QueuePair target = domain.createTargetQueuePair();
      QueuePair opened = domain.openTargetQueuePair(target.number());
      ConnectionSetup.standard().initialize(opened);
      assertThat(target.state()).isEqualTo(QueuePairState.INIT);
      target.close();
      opened.close();
      domain.close();
      assertThat(domain.isOpen()).isFalse();
    }
  },
  QUEUE_PAIR {
    @Override
    public void call(Pair pair) {
      QueuePairInit init = QueuePairInit.reliableConnected(pair.a.sendQueue, 4, 4);
      QueuePair queuePair = pair.a.domain.createQueuePair(init);
      assertThat(queuePair.context()).isSameAs(pair.a.context);
      assertThat(queuePair.protectionDomain()).isSameAs(pair.a.domain);
      assertThat(queuePair.type()).isEqualTo(QueuePairType.RC);
      assertThat(queuePair.init()).isEqualTo(init);
      assertThat(queuePair.number()).isNotEqualTo(pair.a.queuePair.number());
      assertThat(queuePair.queryDataInOrder(SendOpcode.SEND)).isEmpty();
      ConnectionSetup.standard().initialize(queuePair);
      queuePair.modify(QueuePairAttributes.to(QueuePairState.ERR).build());
      assertThat(queuePair.state()).isEqualTo(QueuePairState.ERR);
      assertThat(pair.a.queuePair.query().retryCount()).isEqualTo(3);
      queuePair.close();
      assertThat(queuePair.isOpen()).isFalse();
    }
  },
  MULTICAST {
    @Override
    public void call(Pair pair) {
      QueuePair datagrams =
          pair.a.domain.createQueuePair(QueuePairInit.datagram(pair.a.sendQueue, 1, 1));
      Gid group = new Gid(0, 0xFFFF_E000_0001L);
      datagrams.attachMulticast(group);
      datagrams.detachMulticast(group);
      datagrams.close();
      assertThat(datagrams.isOpen()).isFalse();
    }
  }
}
