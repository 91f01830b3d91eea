/**
 * RDMA verbs: the objects a program makes on a device, the work it posts, and the completions it
 * polls.
 *
 * <h2>The object tree</h2>
 *
 * <p>The parent makes the child, and everything but requests and values is closed by the program:
 *
 * <pre>{@code
 * Device                        found by Device.list(), which asks every VerbsProvider
 *   DeviceContext               Device.open()
 *     ProtectionDomain          allocateProtectionDomain()
 *       MemoryRegion            registerMemory(...), valid until closed
 *       FastRegistrationRegion  allocateFastRegistrationRegion(...), valid from REG_MR to LOCAL_INV
 *       MemoryWindow            allocateMemoryWindow(...), bound to a part of a region
 *       AddressHandle           createAddressHandle(...), where a datagram goes
 *       SharedReceiveQueue      createSharedReceiveQueue(...), receives for many queue pairs
 *       QueuePair               createQueuePair(...), uses one or two completion queues
 *     ThreadDomain              allocateThreadDomain(), goes into a parent domain
 *     XrcDomain                 openXrcDomain(...), one's own or shared by name
 *       QueuePair               createTargetQueuePair(), openTargetQueuePair(...)
 *     DeviceMemory              allocateDeviceMemory(...)
 *     CompletionChannel         createCompletionChannel(), tells of completions without polling
 *     CompletionQueue           createCompletionQueue(...), may use a completion channel
 * }</pre>
 *
 * <p>Closing a parent with open children, a completion queue that a queue pair uses, or a
 * completion channel that a completion queue uses, is EBUSY and changes nothing: the order of
 * teardown is part of what a protocol can get wrong, so nothing is closed behind the program's
 * back. An object that has told of events is closed once they are acknowledged, so closing it waits
 * for the thread that handles them. Closing an object twice has no effect.
 *
 * <h2>The life of a work request</h2>
 *
 * <ol>
 *   <li>The program fills a {@link io.roceverbs.verbs.SendRequest} or {@link
 *       io.roceverbs.verbs.ReceiveRequest}: an id of its own, for a send one operation, and the
 *       segments of memory that take part.
 *   <li>{@link io.roceverbs.verbs.QueuePair#post(io.roceverbs.verbs.SendRequest)} copies it into a
 *       slot of the queue. What is wrong with the request as such is refused now, by a {@link
 *       io.roceverbs.verbs.PostException}.
 *   <li>The adapter executes the requests of a queue in the order of posting. Keys are checked only
 *       here, and again for each packet that is sent or arrives.
 *   <li>A completion is put into the completion queue: for every receive, every signaled send, and
 *       every request that failed or was flushed. An unsignaled send that succeeds makes none.
 *   <li>{@link io.roceverbs.verbs.CompletionQueue#poll} hands it to the program as a {@link
 *       io.roceverbs.verbs.WorkCompletion}, and frees its slot together with those of the
 *       unsignaled requests before it. A send queue without a signaled request therefore fills up,
 *       for good.
 * </ol>
 *
 * <h2>Who owns the memory</h2>
 *
 * <p>A request object is free as soon as the post returns. The memory its segments name is not: it
 * belongs to the adapter until the completion of the request, or of a later one of the same queue,
 * has been polled. A send buffer may be read again for a retransmission, a receive buffer may be
 * written at any moment. Inline data is copied by the post. A reply of the peer is no proof that
 * the own send has completed, because the acknowledgement may be lost where the reply was not; a
 * program that reuses the buffer or invalidates its key at the reply meets this rule on a real
 * fabric about once a month.
 *
 * <h2>Errors</h2>
 *
 * <p>There are four kinds, and none is checked:
 *
 * <ul>
 *   <li>{@link io.roceverbs.verbs.VerbsException} and its subclasses: a call was refused; it
 *       carries the errno that C would give. In the words of C: the function returned an error.
 *   <li>A {@link io.roceverbs.verbs.WorkCompletion} with an error status: a posted request failed.
 *       It is data, not an exception, until {@link
 *       io.roceverbs.verbs.WorkCompletion#requireSuccess()} makes it a {@link
 *       io.roceverbs.verbs.CompletionException}. The first failure moves the queue pair to ERR, and
 *       everything behind it is flushed.
 *   <li>{@link io.roceverbs.verbs.AsyncEvent}: something failed that no request can report.
 *   <li>{@link java.lang.IllegalStateException} and {@link java.lang.IllegalArgumentException}: a
 *       mistake that C could not even express or would not notice, such as two operations in one
 *       request, a number too large for its field, or a look at an undefined field of a completion.
 * </ul>
 *
 * <h2>Threads and garbage</h2>
 *
 * <p>Objects on the device may be used from any thread. Requests and batches of completions are
 * confined to one thread at a time; they are made once and reused, so that posting and polling
 * allocate nothing. Values are immutable.
 *
 * <h2>Numbers</h2>
 *
 * <p>Enum values are those of the C ABI. Keys, immediates, queue pair numbers and addresses are
 * unsigned numbers in Java's signed types: print them with {@link
 * java.lang.Integer#toUnsignedString(int)} or in hexadecimal. Byte order is the adapter's affair;
 * every number reads here as the other side wrote it.
 *
 * <p>This package comes first on a packet's way: the next one is the provider's, which turns posted
 * requests into packets and packets into completions. Nothing here depends on a provider.
 */
@NullMarked
package io.roceverbs.verbs;

import org.jspecify.annotations.NullMarked;
