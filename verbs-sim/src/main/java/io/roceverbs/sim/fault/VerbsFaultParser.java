package io.roceverbs.sim.fault;

import io.roceverbs.verbs.Errno;
import java.util.Arrays;

/** Reads one fault from its text form, see {@link VerbsFault}. */
final class VerbsFaultParser {
  private static final String FORMS =
      "post-send:node[/qp0x<number>][#occurrence]=errno, post-receive: likewise,"
          + " create:node/Type[#occurrence]=errno, rewrite:target[#occurrence]=field:value[,...],"
          + " invent:target[#occurrence][=field:value,...], hold:target[#first+]";

  private final String token;
  private final String verb;
  private final String target;
  private final String occurrence;
  private final String result;

  VerbsFaultParser(String token) {
    this.token = token;
    int colon = token.indexOf(':');
    int equals = token.indexOf('=', colon + 1);
    String matched = token.substring(colon + 1, equals < 0 ? token.length() : equals);
    int mark = matched.indexOf('#');
    this.verb = token.substring(0, Math.max(colon, 0));
    this.target = mark < 0 ? matched : matched.substring(0, mark);
    this.occurrence = mark < 0 ? "" : matched.substring(mark + 1);
    this.result = equals < 0 ? "" : token.substring(equals + 1);
    if ((mark >= 0 && occurrence.isEmpty()) || (equals >= 0 && result.isEmpty())) {
      throw new IllegalArgumentException(
          "fault \"" + token + "\": nothing stands behind '#' or '='; the forms are " + FORMS);
    }
  }

  VerbsFault parse() {
    try {
      return switch (verb) {
        case "post-send" -> post(true);
        case "post-receive" -> post(false);
        case "create" -> creation();
        case "rewrite" ->
            new VerbsFault.RewriteCompletion(
                FaultTarget.parse(target), occurrence(), CompletionChange.parse(result));
        case "invent" ->
            new VerbsFault.InventCompletion(FaultTarget.parse(target), occurrence(), invention());
        case "hold" -> hold();
        default ->
            throw new IllegalArgumentException(
                "verb \"" + verb + "\" is unknown; the forms are " + FORMS);
      };
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("fault \"" + token + "\": " + e.getMessage(), e);
    }
  }

  private VerbsFault post(boolean send) {
    return new VerbsFault.FailPost(send, FaultTarget.parse(target), occurrence(), errno());
  }

  private VerbsFault creation() {
    int slash = target.indexOf('/');
    if (slash < 0) {
      throw new IllegalArgumentException(
          "there is no '/' between node and type, as in create:host/MemoryRegion#2=ENOMEM");
    }
    ResourceKind kind = ResourceKind.parse(target.substring(slash + 1));
    return new VerbsFault.FailCreation(target.substring(0, slash), kind, occurrence(), errno());
  }

  private CompletionChange invention() {
    return result.isEmpty() ? CompletionChange.NONE : CompletionChange.parse(result);
  }

  private VerbsFault hold() {
    if (!result.isEmpty()) {
      throw new IllegalArgumentException("hold takes no value");
    }
    return new VerbsFault.HoldCompletions(FaultTarget.parse(target), occurrence());
  }

  private Occurrence occurrence() {
    return occurrence.isEmpty() ? Occurrence.ALL : Occurrence.parse(occurrence);
  }

  private Errno errno() {
    for (Errno errno : Errno.values()) {
      if (errno.name().equals(result)) {
        return errno;
      }
    }
    throw new IllegalArgumentException(
        "errno \"" + result + "\" is unknown; legal are " + Arrays.toString(Errno.values()));
  }
}
