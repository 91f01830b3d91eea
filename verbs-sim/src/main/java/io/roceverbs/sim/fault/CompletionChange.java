package io.roceverbs.sim.fault;

import io.roceverbs.verbs.CompletionOpcode;
import io.roceverbs.verbs.CompletionStatus;
import io.roceverbs.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is different about a completion. Text form: the fields with their new values, as {@code
 * id:77,status:WR_FLUSH_ERR}.
 *
 * @param id its {@code wr_id}; null to leave it
 * @param status its status; null to leave it
 * @param opcode its opcode, for a success; null to leave it
 * @param byteLength its byte length, for a success; null to leave it
 */
public record CompletionChange(
    @Nullable Long id,
    @Nullable CompletionStatus status,
    @Nullable CompletionOpcode opcode,
    @Nullable Integer byteLength) {
  /** Nothing is different. */
  public static final CompletionChange NONE = new CompletionChange(null, null, null, null);

  /**
   * Checks that the fields go together.
   *
   * @param id as the component
   * @param status as the component
   * @param opcode as the component
   * @param byteLength as the component
   * @throws IllegalArgumentException if an error is given an opcode or a length, which it has not
   */
  public CompletionChange {
    boolean error = status != null && status != CompletionStatus.SUCCESS;
    if (error && (opcode != null || byteLength != null)) {
      throw new IllegalArgumentException(
          "a completion with status " + status + " has neither opcode nor length");
    }
    if (byteLength != null) {
      checkLength(byteLength);
    }
  }

  /**
   * The same with this id.
   *
   * @param value the {@code wr_id}
   * @return a new change
   */
  public CompletionChange withId(long value) {
    return new CompletionChange(value, status, opcode, byteLength);
  }

  /**
   * The same with this status.
   *
   * @param value the status
   * @return a new change
   */
  public CompletionChange withStatus(CompletionStatus value) {
    return new CompletionChange(id, value, opcode, byteLength);
  }

  /**
   * The same with this opcode.
   *
   * @param value the opcode
   * @return a new change
   */
  public CompletionChange withOpcode(CompletionOpcode value) {
    return new CompletionChange(id, status, value, byteLength);
  }

  /**
   * The same with this byte length.
   *
   * @param value 0 or more
   * @return a new change
   */
  public CompletionChange withByteLength(int value) {
    return new CompletionChange(id, status, opcode, value);
  }

  /**
   * Changes a completion. One that gets another opcode, or becomes a success, has no flags, and
   * length 0 unless this change gives one.
   *
   * @param completion a filled one
   * @param send whether it is of a send queue
   * @param cause what an error gives as its detail
   */
  public void applyTo(WorkCompletion completion, boolean send, String cause) {
    long newId = id == null ? completion.id() : id;
    CompletionStatus newStatus = status == null ? completion.status() : status;
    int queuePair = completion.queuePairNumber();
    if (newStatus != CompletionStatus.SUCCESS) {
      completion.setFailure(newId, queuePair, newStatus, newStatus.value(), cause);
      return;
    }
    if (opcode != null || !completion.isSuccess()) {
      completion.setSuccess(newId, queuePair, opcode == null ? opcodeOf(send) : opcode, 0);
    }
    completion.setId(newId);
    if (byteLength != null) {
      completion.setByteLength(byteLength);
    }
  }

  private static CompletionOpcode opcodeOf(boolean send) {
    return send ? CompletionOpcode.SEND : CompletionOpcode.RECV;
  }

  static CompletionChange parse(String text) {
    CompletionChange change = NONE;
    for (String field : text.split(",", -1)) {
      int colon = field.indexOf(':');
      if (colon < 0) {
        throw new IllegalArgumentException(
            "\"" + field + "\" is no field and value; an example is id:77,status:WR_FLUSH_ERR");
      }
      change = change.with(field.substring(0, colon), field.substring(colon + 1));
    }
    return change;
  }

  private CompletionChange with(String field, String value) {
    return switch (field) {
      case "id" -> withId(number(field, value));
      case "status" -> withStatus(constant(CompletionStatus.values(), field, value));
      case "opcode" -> withOpcode(constant(CompletionOpcode.values(), field, value));
      case "length" -> withByteLength(checkLength(number(field, value)));
      default ->
          throw new IllegalArgumentException(
              "field \"" + field + "\" is unknown; legal are id, status, opcode, length");
    };
  }

  private static int checkLength(long value) {
    if (value < 0 || value > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("length " + value + " is not in 0.." + Integer.MAX_VALUE);
    }
    return (int) value;
  }

  private static long number(String field, String value) {
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(field + " \"" + value + "\" is not a number", e);
    }
  }

  private static <E extends Enum<E>> E constant(E[] legal, String field, String value) {
    for (E constant : legal) {
      if (constant.name().equals(value)) {
        return constant;
      }
    }
    throw new IllegalArgumentException(
        field + " \"" + value + "\" is unknown; legal are " + Arrays.toString(legal));
  }

  /** The text form; empty if nothing is different. */
  @Override
  public String toString() {
    List<String> fields = new ArrayList<>();
    add(fields, "id", id);
    add(fields, "status", status);
    add(fields, "opcode", opcode);
    add(fields, "length", byteLength);
    return String.join(",", fields);
  }

  private static void add(List<String> fields, String name, @Nullable Object value) {
    if (value != null) {
      fields.add(name + ":" + value);
    }
  }
}
