package io.roceverbs.examples;

import io.roceverbs.examples.LostAckScenario.Outcome;
import io.roceverbs.examples.LostAckScenario.Ulp;
import io.roceverbs.sim.Fabric;
import io.roceverbs.sim.diagram.SequenceDiagram;
import io.roceverbs.sim.wire.AckTimeout;
import io.roceverbs.verbs.CompletionStatus;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.WorkCompletion;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The story of 2017: the ACK of a SEND is lost, and the reply invalidates what it is made of. */
@Command(
    name = "lost-ack",
    description = {
      "Sends one command with 4 KiB of data and loses one packet, by default the ACK of the"
          + " command.",
      "The careless initiator gathers the data through a region whose rkey it also offers, and"
          + " takes the reply for the end. The target's SEND_WITH_INV then kills the key that the"
          + " retransmission needs: LOC_PROT_ERR, and the connection is lost.",
      "The careful one offers no key that is not needed, and waits for SEND and reply."
    },
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the outcome that the initiator deserves: careless fails with LOC_PROT_ERR by default and"
          + " succeeds with --drop none, careful succeeds whatever is dropped once",
      "1:another outcome, or --drop hit no packet",
      ExitCode.USAGE_TEXT
    })
final class LostAckCommand implements Callable<Integer> {
  private static final int RETRIES_MAX = 7;

  private final Terminal terminal;

  @Option(
      names = "--ulp",
      paramLabel = "careless|careful",
      description = "which initiator (default: ${DEFAULT-VALUE})")
  private Ulp ulp = Ulp.CARELESS;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "seed of the fabric (default: ${DEFAULT-VALUE})")
  private long seed = Fabric.DEFAULT_SEED;

  @Option(
      names = "--drop",
      paramLabel = "WHAT",
      converter = DroppedPacket.Converter.class,
      description = {
        "the packet to drop: none, or from>to/kind[@psn][#occurrence][~transmission] with the"
            + " nodes initiator and target, such as initiator>target/SEND#1"
            + " (default: ${DEFAULT-VALUE}, the ACK of the command)"
      })
  private DroppedPacket drop = DroppedPacket.ACK_OF_COMMAND;

  @Option(
      names = "--timeout",
      paramLabel = "CODE",
      description =
          "ACK timeout, 4.096 us times 2 to the power of CODE, 0 for never"
              + " (default: ${DEFAULT-VALUE})")
  private int timeout = 14;

  @Option(
      names = "--retries",
      paramLabel = "N",
      description = "retries after a timeout, 0 to 7 (default: ${DEFAULT-VALUE})")
  private int retries = RETRIES_MAX;

  @Option(names = "--pcap", paramLabel = "FILE", description = "write the packets as pcapng")
  private @Nullable Path capture;

  @Option(names = "--diagram", paramLabel = "FILE.svg", description = "write the diagram as SVG")
  private @Nullable Path diagram;

  LostAckCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    UsageException.checkRange("--timeout", timeout, 0, AckTimeout.CODE_MAX);
    UsageException.checkRange("--retries", retries, 0, RETRIES_MAX);
    Outcome outcome = run();
    if (diagram != null) {
      writeDiagram(outcome.diagram(), diagram);
    }
    report(outcome);
    return isAsPromised(outcome) ? ExitCode.OK : ExitCode.FAILED;
  }

  private Outcome run() {
    try {
      return new LostAckScenario(ulp, seed, drop, timeout, retries, capture).run();
    } catch (UncheckedIOException e) {
      throw new UsageException("--pcap: " + e.getMessage(), e);
    }
  }

  private static void writeDiagram(SequenceDiagram picture, Path file) {
    try {
      Files.writeString(file, picture.toSvg());
    } catch (IOException e) {
      throw new UsageException(
          "--diagram: it can't be written to file "
              + file
              + " ("
              + e
              + "); name a file in a"
              + " directory that exists and may be written",
          e);
    }
  }

  private void report(Outcome outcome) {
    PrintWriter out = terminal.out();
    out.print(outcome.diagram().toText(terminal.style()));
    out.println();
    reportDropped(out, outcome.dropped());
    if (outcome.wasDoneBeforeSend()) {
      out.println("the initiator called the command done before its SEND had completed");
    }
    reportFailures(out, outcome);
    out.println("RESULT ulp=" + ulp + " send=" + status(outcome.send()) + " qp=" + outcome.state());
    out.flush();
  }

  private void reportDropped(PrintWriter out, long dropped) {
    if (drop.rule() == null) {
      out.println("dropped: nothing, as asked");
    } else if (dropped == 0) {
      out.println("dropped: nothing, since no packet of this run is " + drop);
    } else {
      out.println("dropped: " + drop + (dropped == 1 ? "" : ", " + dropped + " packets"));
    }
  }

  private static void reportFailures(PrintWriter out, Outcome outcome) {
    WorkCompletion send = outcome.send();
    WorkCompletion reply = outcome.failedReply();
    if (send == null) {
      out.println("check failed: none, but the SEND of the command never completed");
    } else if (!send.isSuccess()) {
      out.println("check failed: initiator, " + describe("SEND", send));
      out.println("flushed behind it: " + outcome.flushedReceives() + " receives");
    }
    if (reply != null) {
      out.println("check failed: target, " + describe("reply", reply));
    }
    if (send != null && send.isSuccess() && reply == null) {
      out.println("check failed: none");
    }
    if (!outcome.isDone()) {
      out.println("the initiator never got to the end of the command");
    }
  }

  private static String describe(String what, WorkCompletion completion) {
    return what
        + " wr "
        + completion.id()
        + ": "
        + status(completion)
        + " "
        + completion.status().text()
        + ": "
        + completion.detail();
  }

  private static String status(@Nullable WorkCompletion completion) {
    return completion == null
        ? "NONE"
        : completion.status() + "(" + completion.status().value() + ")";
  }

  private boolean isAsPromised(Outcome outcome) {
    boolean isHit = drop.rule() == null || outcome.dropped() > 0;
    WorkCompletion send = outcome.send();
    if (!isHit || send == null) {
      return false;
    }
    boolean isSuccess =
        send.status() == CompletionStatus.SUCCESS
            && outcome.state() == QueuePairState.RTS
            && outcome.isDone()
            && outcome.executions() == 1;
    boolean isHazard =
        send.status() == CompletionStatus.LOC_PROT_ERR && outcome.state() == QueuePairState.ERR;
    return switch (ulp) {
      case CAREFUL -> isSuccess;
      case CARELESS -> {
        boolean isStory = drop.equals(DroppedPacket.ACK_OF_COMMAND);
        yield isStory ? isHazard : isSuccess || (drop.rule() != null && isHazard);
      }
    };
  }
}
