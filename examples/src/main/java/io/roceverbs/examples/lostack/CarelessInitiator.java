package io.roceverbs.examples.lostack;

import io.roceverbs.verbs.AccessFlag;
import io.roceverbs.verbs.AccessFlags;
import io.roceverbs.verbs.Device;
import io.roceverbs.verbs.FastRegistrationRegion;
import io.roceverbs.verbs.SendRequest;
import io.roceverbs.verbs.WorkCompletion;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * An initiator with two habits, each harmless alone and until an acknowledgement is lost.
 *
 * <p>It gathers the data of the command through the very region whose key it offers to the target,
 * although the target, which gets the data with the command, has no use for it. And it takes the
 * reply for the end of the command: by then the target has the data, so what could go wrong? The
 * SEND is signaled, but its completion is only looked at for errors.
 */
public final class CarelessInitiator extends Initiator {
  private static final AccessFlags ACCESS = AccessFlags.of(AccessFlag.REMOTE_READ);

  private final FastRegistrationRegion region;
  private final SendRequest register = new SendRequest();
  private final SendRequest send = new SendRequest();

  /**
   * Opens a device; the queue pair is then to be connected.
   *
   * @param device the device
   * @param notes hears what the initiator does, step by step
   */
  public CarelessInitiator(Device device, Consumer<String> notes) {
    super(device, notes);
    int pages = DATA_BYTES / FastRegistrationRegion.PAGE_BYTES;
    this.region = endpoint().domain().allocateFastRegistrationRegion(pages);
  }

  @Override
  void postCommand() {
    int key = region.nextKey();
    region.map(data());
    beginSend(send, new Command(TAG, DATA_BYTES, region.address(), key))
        .segment(region, 0, DATA_BYTES);
    register.reset(REGISTER_ID).registerMemory(region, key, ACCESS).next(send);
    note(
        String.format(
            Locale.ROOT, "command %d: data through key 0x%08x, which is offered too", TAG, key));
    endpoint().post(register);
  }

  @Override
  void onSendSuccess() {
    // Nothing waits for it.
  }

  @Override
  void onReply(WorkCompletion completion) {
    if (!completion.withInvalidate() || completion.invalidatedRkey() != region.rkey()) {
      note("protocol error: the reply did not invalidate the key of the command");
      return;
    }
    complete("the reply is here and the key is invalid; memory reused");
  }

  @Override
  public void close() {
    region.close();
    super.close();
  }
}
