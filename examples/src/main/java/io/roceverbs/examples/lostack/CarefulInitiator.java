package io.roceverbs.examples.lostack;

import io.roceverbs.verbs.Device;
import io.roceverbs.verbs.MemoryRegion;
import io.roceverbs.verbs.SendRequest;
import io.roceverbs.verbs.WorkCompletion;
import java.util.function.Consumer;

/**
 * An initiator that keeps two references to a command, one for its SEND and one for its reply.
 *
 * <p>The data is gathered through a region of its own, which no peer can invalidate, and no key is
 * offered that the target does not need. The command is over when both references are gone, in
 * either order; until then the adapter may send the data again, and it must be there.
 */
public final class CarefulInitiator extends Initiator {
  private static final int SEND_AND_REPLY = 2;

  private final MemoryRegion dataRegion;
  private final SendRequest send = new SendRequest();
  private int references;

  /**
   * Opens a device; the queue pair is then to be connected.
   *
   * @param device the device
   * @param notes hears what the initiator does, step by step
   */
  public CarefulInitiator(Device device, Consumer<String> notes) {
    super(device, notes);
    this.dataRegion = endpoint().domain().registerMemory(data());
  }

  @Override
  void postCommand() {
    references = SEND_AND_REPLY;
    beginSend(send, Command.withoutKey(TAG, DATA_BYTES)).segment(dataRegion, 0, DATA_BYTES);
    note("command " + TAG + ": data through a region of its own, no key is offered");
    endpoint().post(send);
  }

  @Override
  void onSendSuccess() {
    release("the SEND is acknowledged");
  }

  @Override
  void onReply(WorkCompletion completion) {
    release("the reply is here");
  }

  private void release(String what) {
    references--;
    if (references > 0) {
      note(what + ", one reference is left");
    } else {
      complete(what + " too; memory reused");
    }
  }

  @Override
  public void close() {
    dataRegion.close();
    super.close();
  }
}
