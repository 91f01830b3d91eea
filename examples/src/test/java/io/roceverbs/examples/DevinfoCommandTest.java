package io.roceverbs.examples;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a device says of itself, on the command line. */
class DevinfoCommandTest {
  @Test
  void theStrictDeviceIsShownWithItsLimitsAndItsPort() {
    CommandLineRun run = CommandLineRun.of("devinfo");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .startsWith("hca_id: node0")
        .contains(
            "\ttransport:                     IB",
            "\tnode_guid:                     0200:0aff:fe00:0001",
            "\tphys_port_cnt:                 1",
            "\tmax_qp:                        1048560",
            "\tmax_cqe:                       32767",
            "\tmax_mr:                        524287",
            "\tatomic_cap:                    HCA",
            "\tport: 1",
            "\t  state:                       ACTIVE",
            "\t  active_mtu:                  4096",
            "\t  link_layer:                  ETHERNET",
            "\t  GID[0]:                      ::ffff:10.0.0.1, ROCE_V2",
            "\t  GID[1]:                      fd00::1, ROCE_V2")
        .endsWith("\tprofile: strict", "RESULT profile=strict differences=0");
  }

  @Test
  void anotherProfileIsShownWithThePointsInWhichItDiffers() {
    CommandLineRun run = CommandLineRun.of("devinfo", "--profile", "softroce");

    assertThat(run.out())
        .contains(
            "\tprofile: softRoce",
            "\t  SendErrorState:              ERR",
            "\t  RetryCountSeven:             INFINITE");
    assertThat(run.lastLine()).matches("RESULT profile=softRoce differences=[1-9]\\d");
  }

  @ParameterizedTest
  @ValueSource(strings = {"strict", "softRoce", "connectX", "irdma", "falseInvalidate"})
  void everyProfileCanBeShown(String profile) {
    CommandLineRun run = CommandLineRun.of("devinfo", "--profile", profile);

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains("\tprofile: " + profile);
  }

  @Test
  void anUnknownProfileIsOneLineAndExitCode2() {
    CommandLineRun run = CommandLineRun.of("devinfo", "--profile", "mlx9");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).hasSize(1);
    assertThat(run.err().get(0)).startsWith("roceverbs-examples devinfo: Invalid value");
  }
}
