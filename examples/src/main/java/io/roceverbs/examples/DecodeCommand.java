package io.roceverbs.examples;

import io.roceverbs.sim.wire.CaptureFormatException;
import io.roceverbs.sim.wire.CaptureReader;
import io.roceverbs.sim.wire.CapturedFrame;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Takes the packets of captures apart, and puts them together again. */
@Command(
    name = "decode",
    description = {
      "Prints one line for each packet of pcap or pcapng files of Ethernet frames, and last, over"
          + " all files, how many packets there are, how many are RoCEv2, and of those how many"
          + " have a right ICRC and how many give the same bytes when built again from their"
          + " fields."
    },
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:each RoCEv2 packet has a right ICRC and gives the same bytes again",
      "1:one has not or does not",
      "2:a file is missing, truncated or no capture, or the arguments can't be used"
    })
final class DecodeCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Parameters(paramLabel = "FILE", arity = "1..*", description = "pcap or pcapng files")
  private List<Path> files = new ArrayList<>();

  @Option(names = "--quiet", description = "print only the last line")
  private boolean quiet;

  /** Takes the frames of a file, one after the other. */
  private interface FrameSink {
    void accept(CapturedFrame frame);
  }

  DecodeCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    // Read once before anything is printed, so that of a bad file one line is all that is seen.
    for (Path file : files) {
      read(file, frame -> {});
    }
    FrameDecoder decoder = new FrameDecoder();
    PrintWriter out = terminal.out();
    for (Path file : files) {
      decoder.beginFile(file);
      read(
          file,
          frame -> {
            decoder.decode(frame);
            if (!quiet) {
              out.println(decoder.line());
            }
          });
    }
    out.println(decoder.totals());
    out.flush();
    return decoder.isAllRight() ? ExitCode.OK : ExitCode.FAILED;
  }

  private static void read(Path file, FrameSink sink) {
    if (!Files.exists(file)) {
      throw new UsageException(file + ": there is no such file");
    }
    if (!Files.isRegularFile(file)) {
      throw new UsageException(file + ": not a regular file");
    }
    try (CaptureReader reader = CaptureReader.open(file)) {
      for (CapturedFrame frame = reader.next(); frame != null; frame = reader.next()) {
        sink.accept(frame);
      }
    } catch (CaptureFormatException e) {
      throw new UsageException(file + ": " + e.getMessage(), e);
    } catch (IOException e) {
      throw new UsageException(file + ": it can't be read (" + e + ")", e);
    }
  }
}
