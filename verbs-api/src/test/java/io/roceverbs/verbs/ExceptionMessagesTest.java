package io.roceverbs.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ExceptionMessagesTest {
  @Test
  void aVerbsExceptionNamesCallDetailAndErrno() {
    VerbsException e =
        new VerbsException(
            Errno.EINVAL, "DeviceContext.queryPort", "port 2 does not exist; ports are 1 to 1");

    assertThat(e)
        .hasMessage(
            "DeviceContext.queryPort: port 2 does not exist; ports are 1 to 1"
                + " [EINVAL (22) Invalid argument]");
    assertThat(e.errno()).isEqualTo(Errno.EINVAL);
    assertThat(e.call()).isEqualTo("DeviceContext.queryPort");
  }

  @Test
  void aPostExceptionTellsWhichRequestsWerePosted() {
    assertThat(fullQueue(0))
        .hasMessage(
            "QueuePair.post: request 0 of the chain (id 77): the send queue is full;"
                + " nothing was posted [ENOMEM (12) Cannot allocate memory]");
    assertThat(fullQueue(1)).hasMessageContaining("; request 0 was posted [");
    assertThat(fullQueue(3)).hasMessageContaining("; requests 0 to 2 were posted [");
    assertThat(fullQueue(3).badRequestIndex()).isEqualTo(3);
    assertThat(fullQueue(3).badRequestId()).isEqualTo(77);
    assertThat(fullQueue(3).errno()).isEqualTo(Errno.ENOMEM);
  }

  private static PostException fullQueue(int badRequestIndex) {
    return new PostException(
        Errno.ENOMEM, "QueuePair.post", "the send queue is full", badRequestIndex, 77);
  }

  @Test
  void aTransitionExceptionListsMissingAndSurplusAttributes() {
    Set<QueuePairAttribute> missing =
        Set.of(QueuePairAttribute.DEST_QPN, QueuePairAttribute.AV, QueuePairAttribute.RQ_PSN);
    QueuePairTransitionException e =
        new QueuePairTransitionException(
            QueuePairState.INIT,
            QueuePairState.RTR,
            missing,
            EnumSet.of(QueuePairAttribute.TIMEOUT),
            "set the missing ones, leave out the surplus");

    assertThat(e)
        .hasMessage(
            "QueuePair.modify: INIT to RTR, missing [AV, RQ_PSN, DEST_QPN], surplus [TIMEOUT]:"
                + " set the missing ones, leave out the surplus [EINVAL (22) Invalid argument]");
    assertThat(e.from()).isEqualTo(QueuePairState.INIT);
    assertThat(e.to()).isEqualTo(QueuePairState.RTR);
    assertThat(e.missing())
        .containsExactly(
            QueuePairAttribute.AV, QueuePairAttribute.RQ_PSN, QueuePairAttribute.DEST_QPN);
    assertThat(e.surplus()).containsExactly(QueuePairAttribute.TIMEOUT);
    assertThatThrownBy(() -> e.missing().clear()).isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void aTransitionThatDoesNotExistHasNothingToList() {
    QueuePairTransitionException e =
        new QueuePairTransitionException(
            QueuePairState.ERR,
            QueuePairState.RTS,
            Set.of(),
            Set.of(),
            "there is no such transition; ERR leads to RESET and ERR");

    assertThat(e)
        .hasMessage(
            "QueuePair.modify: ERR to RTS: there is no such transition; ERR leads to RESET and ERR"
                + " [EINVAL (22) Invalid argument]");
    assertThat(e.missing()).isEmpty();
    assertThat(e.surplus()).isEmpty();
  }
}
