package io.roceverbs.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The numbers of the C ABI, written out once more and independently of the enums. */
class EnumValuesTest {
  @Test
  void errnoHasTheNumbersOfLinux() {
    assertValues(
        Errno.values(),
        Errno::value,
        Errno::fromValue,
        "EPERM=1 ENOENT=2 EIO=5 EAGAIN=11 ENOMEM=12 EBUSY=16 ENODEV=19 EINVAL=22 ENOSPC=28 ENODATA=61"
            + " EOPNOTSUPP=95");
    assertThat(Errno.EBUSY.text()).isEqualTo("Device or resource busy");
  }

  @Test
  void queuePairTypeAndStateHaveTheNumbersOfTheCHeader() {
    assertValues(
        QueuePairType.values(),
        QueuePairType::value,
        QueuePairType::fromValue,
        "SMI=0 GSI=1 RC=2 UC=3 UD=4 RAW_PACKET=8 XRC_SEND=9 XRC_RECV=10 DRIVER=255");
    assertValues(
        SharedReceiveQueueType.values(),
        SharedReceiveQueueType::value,
        SharedReceiveQueueType::fromValue,
        "BASIC=0 XRC=1 TM=2");
    assertValues(
        QueuePairState.values(),
        QueuePairState::value,
        QueuePairState::fromValue,
        "RESET=0 INIT=1 RTR=2 RTS=3 SQD=4 SQE=5 ERR=6 UNKNOWN=7");
    assertValues(
        PathMigrationState.values(),
        PathMigrationState::value,
        PathMigrationState::fromValue,
        "MIGRATED=0 REARM=1 ARMED=2");
  }

  @Test
  void completionStatusHasTheNumbersOfTheCHeader() {
    assertValues(
        CompletionStatus.values(),
        CompletionStatus::value,
        CompletionStatus::fromValue,
        "SUCCESS=0 LOC_LEN_ERR=1 LOC_QP_OP_ERR=2 LOC_EEC_OP_ERR=3 LOC_PROT_ERR=4 WR_FLUSH_ERR=5"
            + " MW_BIND_ERR=6 BAD_RESP_ERR=7 LOC_ACCESS_ERR=8 REM_INV_REQ_ERR=9 REM_ACCESS_ERR=10"
            + " REM_OP_ERR=11 RETRY_EXC_ERR=12 RNR_RETRY_EXC_ERR=13 LOC_RDD_VIOL_ERR=14"
            + " REM_INV_RD_REQ_ERR=15 REM_ABORT_ERR=16 INV_EECN_ERR=17 INV_EEC_STATE_ERR=18"
            + " FATAL_ERR=19 RESP_TIMEOUT_ERR=20 GENERAL_ERR=21 TM_ERR=22 TM_RNDV_INCOMPLETE=23");
  }

  @Test
  void completionStatusHasTheTextsThatTestSuitesMatchOn() {
    assertThat(CompletionStatus.WR_FLUSH_ERR.text()).isEqualTo("Work Request Flushed Error");
    assertThat(CompletionStatus.MW_BIND_ERR.text()).isEqualTo("memory management operation error");
    assertThat(CompletionStatus.REM_ACCESS_ERR.text()).isEqualTo("remote access error");
    assertThat(CompletionStatus.RETRY_EXC_ERR.text()).isEqualTo("transport retry counter exceeded");
  }

  @Test
  void completionOpcodeAndFlagHaveTheNumbersOfUserSpace() {
    assertValues(
        CompletionOpcode.values(),
        CompletionOpcode::value,
        CompletionOpcode::fromValue,
        "SEND=0 RDMA_WRITE=1 RDMA_READ=2 COMP_SWAP=3 FETCH_ADD=4 BIND_MW=5 LOCAL_INV=6 TSO=7 FLUSH=8"
            + " ATOMIC_WRITE=9 REG_MR=10 MASKED_COMP_SWAP=11 MASKED_FETCH_ADD=12 RECV=128"
            + " RECV_RDMA_WITH_IMM=129 TM_ADD=130 TM_DEL=131 TM_SYNC=132 TM_RECV=133"
            + " TM_NO_TAG=134 DRIVER1=135 DRIVER2=136 DRIVER3=137");
    assertValues(
        CompletionFlag.values(),
        CompletionFlag::value,
        CompletionFlag::fromValue,
        "GRH=1 WITH_IMM=2 IP_CSUM_OK=4 WITH_INV=8");
  }

  @Test
  void fieldsAndFlagsOfCompletionQueuesHaveTheNumbersOfTheCHeader() {
    assertValues(
        CompletionField.values(),
        CompletionField::value,
        CompletionField::fromValue,
        "BYTE_LEN=1 IMM=2 QP_NUM=4 SRC_QP=8 SLID=16 SL=32 DLID_PATH_BITS=64"
            + " COMPLETION_TIMESTAMP=128 CVLAN=256 FLOW_TAG=512 TM_INFO=1024"
            + " COMPLETION_TIMESTAMP_WALLCLOCK=2048");
    assertValues(
        CompletionQueueFlag.values(),
        CompletionQueueFlag::value,
        CompletionQueueFlag::fromValue,
        "SINGLE_THREADED=1 IGNORE_OVERRUN=2");
  }

  @Test
  void flagsOfXrcDomainsHaveTheNumbersOfTheCHeader() {
    assertValues(
        XrcDomainFlag.values(),
        XrcDomainFlag::value,
        XrcDomainFlag::fromValue,
        "CREATE=64 EXCLUSIVE=128");
  }

  @Test
  void onlyReceiveOpcodesAreOfTheReceiveSide() {
    assertThat(CompletionOpcode.values())
        .filteredOn(CompletionOpcode::isReceive)
        .containsExactlyElementsOf(EnumSet.range(CompletionOpcode.RECV, CompletionOpcode.DRIVER3));
  }

  @Test
  void sendOpcodeAndFlagHaveTheNumbersOfTheCHeader() {
    assertValues(
        SendOpcode.values(),
        SendOpcode::value,
        SendOpcode::fromValue,
        "RDMA_WRITE=0 RDMA_WRITE_WITH_IMM=1 SEND=2 SEND_WITH_IMM=3 RDMA_READ=4"
            + " ATOMIC_CMP_AND_SWP=5 ATOMIC_FETCH_AND_ADD=6 LOCAL_INV=7 BIND_MW=8"
            + " SEND_WITH_INV=9 TSO=10 DRIVER1=11 MASKED_ATOMIC_CMP_AND_SWP=12"
            + " MASKED_ATOMIC_FETCH_AND_ADD=13 FLUSH=14 ATOMIC_WRITE=15 REG_MR=32"
            + " REG_MR_INTEGRITY=33");
    assertValues(
        SendFlag.values(),
        SendFlag::value,
        SendFlag::fromValue,
        "FENCE=1 SIGNALED=2 SOLICITED=4 INLINE=8 IP_CSUM=16");
    assertValues(
        SendOperation.values(),
        SendOperation::value,
        SendOperation::fromValue,
        "RDMA_WRITE=1 RDMA_WRITE_WITH_IMM=2 SEND=4 SEND_WITH_IMM=8 RDMA_READ=16"
            + " ATOMIC_CMP_AND_SWP=32 ATOMIC_FETCH_AND_ADD=64 LOCAL_INV=128 BIND_MW=256"
            + " SEND_WITH_INV=512 TSO=1024 FLUSH=2048 ATOMIC_WRITE=4096");
  }

  @Test
  void eachSendOpcodeHasItsCompletionOpcode() {
    String pairs =
        Arrays.stream(SendOpcode.values())
            .map(opcode -> opcode + ">" + opcode.completionOpcode())
            .collect(Collectors.joining(" "));
    assertThat(pairs)
        .isEqualTo(
            "RDMA_WRITE>RDMA_WRITE RDMA_WRITE_WITH_IMM>RDMA_WRITE SEND>SEND SEND_WITH_IMM>SEND"
                + " RDMA_READ>RDMA_READ ATOMIC_CMP_AND_SWP>COMP_SWAP"
                + " ATOMIC_FETCH_AND_ADD>FETCH_ADD LOCAL_INV>LOCAL_INV BIND_MW>BIND_MW SEND_WITH_INV>SEND"
                + " TSO>TSO DRIVER1>DRIVER1 MASKED_ATOMIC_CMP_AND_SWP>MASKED_COMP_SWAP"
                + " MASKED_ATOMIC_FETCH_AND_ADD>MASKED_FETCH_ADD FLUSH>FLUSH"
                + " ATOMIC_WRITE>ATOMIC_WRITE REG_MR>REG_MR REG_MR_INTEGRITY>REG_MR");
  }

  @Test
  void sendOpcodesFallIntoClasses() {
    assertThat(SendOpcode.values())
        .filteredOn(SendOpcode::isLocal)
        .containsExactly(
            SendOpcode.LOCAL_INV,
            SendOpcode.BIND_MW,
            SendOpcode.REG_MR,
            SendOpcode.REG_MR_INTEGRITY);
    assertThat(SendOpcode.values())
        .filteredOn(SendOpcode::isAtomic)
        .containsExactly(
            SendOpcode.ATOMIC_CMP_AND_SWP,
            SendOpcode.ATOMIC_FETCH_AND_ADD,
            SendOpcode.MASKED_ATOMIC_CMP_AND_SWP,
            SendOpcode.MASKED_ATOMIC_FETCH_AND_ADD);
    assertThat(SendOpcode.values())
        .filteredOn(SendOpcode::isReadOrAtomic)
        .containsExactly(
            SendOpcode.RDMA_READ,
            SendOpcode.ATOMIC_CMP_AND_SWP,
            SendOpcode.ATOMIC_FETCH_AND_ADD,
            SendOpcode.MASKED_ATOMIC_CMP_AND_SWP,
            SendOpcode.MASKED_ATOMIC_FETCH_AND_ADD);
    assertThat(SendOpcode.values())
        .filteredOn(SendOpcode::isSend)
        .containsExactly(SendOpcode.SEND, SendOpcode.SEND_WITH_IMM, SendOpcode.SEND_WITH_INV);
    assertThat(SendOpcode.values())
        .filteredOn(SendOpcode::isWrite)
        .containsExactly(SendOpcode.RDMA_WRITE, SendOpcode.RDMA_WRITE_WITH_IMM);
  }

  @Test
  void kindsOfFlushesHaveTheNumbersOfTheCHeader() {
    assertValues(
        FlushPlacement.values(),
        FlushPlacement::value,
        FlushPlacement::fromValue,
        "GLOBAL=1 PERSISTENT=2");
    assertValues(
        FlushSelectivity.values(),
        FlushSelectivity::value,
        FlushSelectivity::fromValue,
        "RANGE=0 REGION=1");
  }

  @Test
  void memoryWindowTypeHasTheNumbersOfTheCHeader() {
    assertValues(
        MemoryWindowType.values(),
        MemoryWindowType::value,
        MemoryWindowType::fromValue,
        "TYPE_1=1 TYPE_2=2");
  }

  @Test
  void accessFlagHasTheBitsOfTheCHeader() {
    assertValues(
        AccessFlag.values(),
        AccessFlag::value,
        AccessFlag::fromValue,
        "LOCAL_WRITE=1 REMOTE_WRITE=2 REMOTE_READ=4 REMOTE_ATOMIC=8 MW_BIND=16 ZERO_BASED=32"
            + " ON_DEMAND=64 HUGETLB=128 FLUSH_GLOBAL=256 FLUSH_PERSISTENT=512"
            + " RELAXED_ORDERING=1048576");
  }

  @Test
  void portEnumsHaveTheNumbersOfTheCHeader() {
    assertValues(
        PortState.values(),
        PortState::value,
        PortState::fromValue,
        "NOP=0 DOWN=1 INIT=2 ARMED=3 ACTIVE=4 ACTIVE_DEFER=5");
    assertValues(
        PortPhysicalState.values(),
        PortPhysicalState::value,
        PortPhysicalState::fromValue,
        "SLEEP=1 POLLING=2 DISABLED=3 PORT_CONFIGURATION_TRAINING=4 LINK_UP=5"
            + " LINK_ERROR_RECOVERY=6 PHY_TEST=7");
    assertValues(
        LinkLayer.values(),
        LinkLayer::value,
        LinkLayer::fromValue,
        "UNSPECIFIED=0 INFINIBAND=1 ETHERNET=2");
    assertValues(
        LinkWidth.values(),
        LinkWidth::value,
        LinkWidth::fromValue,
        "WIDTH_1X=1 WIDTH_4X=2 WIDTH_8X=4 WIDTH_12X=8 WIDTH_2X=16");
    assertThat(LinkWidth.values()).extracting(LinkWidth::lanes).containsExactly(1, 4, 8, 12, 2);
    assertValues(
        LinkSpeed.values(),
        LinkSpeed::value,
        LinkSpeed::fromValue,
        "SDR=1 DDR=2 QDR=4 FDR10=8 FDR=16 EDR=32 HDR=64 NDR=128 XDR=256");
    assertThat(LinkSpeed.values())
        .extracting(LinkSpeed::nominalMegabitsPerSecond)
        .containsExactly(2500, 5000, 10_000, 10_000, 14_000, 25_000, 50_000, 100_000, 200_000);
  }

  @Test
  void portCapabilityHasTheBitsOfTheCHeader() {
    assertThat(bits(PortCapability.values(), PortCapability::mask))
        .isEqualTo(
            "SM=1 NOTICE_SUP=2 TRAP_SUP=3 OPT_IPD_SUP=4 AUTO_MIGR_SUP=5 SL_MAP_SUP=6 MKEY_NVRAM=7"
                + " PKEY_NVRAM=8 LED_INFO_SUP=9 SYS_IMAGE_GUID_SUP=11 PKEY_SW_EXT_PORT_TRAP_SUP=12"
                + " EXTENDED_SPEEDS_SUP=14 CAP_MASK2_SUP=15 CM_SUP=16 SNMP_TUNNEL_SUP=17"
                + " REINIT_SUP=18 DEVICE_MGMT_SUP=19 VENDOR_CLASS_SUP=20 DR_NOTICE_SUP=21"
                + " CAP_MASK_NOTICE_SUP=22 BOOT_MGMT_SUP=23 LINK_LATENCY_SUP=24 CLIENT_REG_SUP=25"
                + " IP_BASED_GIDS=26");
  }

  @Test
  void gidTypeAndDataOrderHaveTheNumbersOfTheCHeader() {
    assertValues(GidType.values(), GidType::value, GidType::fromValue, "IB=0 ROCE_V1=1 ROCE_V2=2");
    assertValues(
        DataOrder.values(),
        DataOrder::value,
        DataOrder::fromValue,
        "WHOLE_MESSAGE=1 ALIGNED_128_BYTES=2");
  }

  @Test
  void staticRateHasTheNumbersAndRatesOfTheCHeader() {
    assertValues(
        StaticRate.values(),
        StaticRate::value,
        StaticRate::fromValue,
        "MAX=0 GBPS_2_5=2 GBPS_5=5 GBPS_10=3 GBPS_20=6 GBPS_30=4 GBPS_40=7 GBPS_60=8 GBPS_80=9"
            + " GBPS_120=10 GBPS_14=11 GBPS_56=12 GBPS_112=13 GBPS_168=14 GBPS_25=15 GBPS_100=16"
            + " GBPS_200=17 GBPS_300=18 GBPS_28=19 GBPS_50=20 GBPS_400=21 GBPS_600=22 GBPS_800=23"
            + " GBPS_1200=24");
    assertThat(StaticRate.values())
        .extracting(StaticRate::megabitsPerSecond)
        .containsExactly(
            0, 2500, 5000, 10_000, 20_000, 30_000, 40_000, 60_000, 80_000, 120_000, 14_062, 56_250,
            112_500, 168_750, 25_781, 103_125, 206_250, 309_375, 28_125, 53_125, 425_000, 637_500,
            850_000, 1_275_000);
  }

  @Test
  void deviceEnumsHaveTheNumbersOfTheCHeader() {
    assertValues(
        NodeType.values(),
        NodeType::value,
        NodeType::fromValue,
        "UNKNOWN=-1 CA=1 SWITCH=2 ROUTER=3 RNIC=4 USNIC=5 USNIC_UDP=6 UNSPECIFIED=7");
    assertValues(
        TransportType.values(),
        TransportType::value,
        TransportType::fromValue,
        "UNKNOWN=-1 IB=0 IWARP=1 USNIC=2 USNIC_UDP=3 UNSPECIFIED=4");
    assertValues(
        AtomicCapability.values(),
        AtomicCapability::value,
        AtomicCapability::fromValue,
        "NONE=0 HCA=1 GLOB=2");
  }

  @Test
  void asyncEventTypeHasThePositionsOfTheCHeader() {
    assertValues(
        AsyncEventType.values(),
        AsyncEventType::value,
        AsyncEventType::fromValue,
        "CQ_ERR=0 QP_FATAL=1 QP_REQ_ERR=2 QP_ACCESS_ERR=3 COMM_EST=4 SQ_DRAINED=5 PATH_MIG=6"
            + " PATH_MIG_ERR=7 DEVICE_FATAL=8 PORT_ACTIVE=9 PORT_ERR=10 LID_CHANGE=11"
            + " PKEY_CHANGE=12 SM_CHANGE=13 SRQ_ERR=14 SRQ_LIMIT_REACHED=15"
            + " QP_LAST_WQE_REACHED=16 CLIENT_REREGISTER=17 GID_CHANGE=18 WQ_FATAL=19"
            + " DEVICE_SPEED_CHANGE=20");
  }

  @Test
  void queuePairAttributeHasTheBitsOfTheCHeader() {
    assertThat(bits(QueuePairAttribute.values(), attribute -> attribute.mask()))
        .isEqualTo(
            "STATE=0 CUR_STATE=1 EN_SQD_ASYNC_NOTIFY=2 ACCESS_FLAGS=3 PKEY_INDEX=4 PORT=5 QKEY=6"
                + " AV=7 PATH_MTU=8 TIMEOUT=9 RETRY_CNT=10 RNR_RETRY=11 RQ_PSN=12"
                + " MAX_QP_RD_ATOMIC=13 ALT_PATH=14 MIN_RNR_TIMER=15 SQ_PSN=16"
                + " MAX_DEST_RD_ATOMIC=17 PATH_MIG_STATE=18 CAP=19 DEST_QPN=20 RATE_LIMIT=25");
  }

  @Test
  void deviceCapabilityHasTheBitsOfTheCHeader() {
    assertThat(bits(DeviceCapability.values(), DeviceCapability::mask))
        .isEqualTo(
            "RESIZE_MAX_WR=0 BAD_PKEY_CNTR=1 BAD_QKEY_CNTR=2 AUTO_PATH_MIG=4 CHANGE_PHY_PORT=5"
                + " UD_AV_PORT_ENFORCE=6 CURR_QP_STATE_MOD=7 PORT_ACTIVE_EVENT=10"
                + " SYS_IMAGE_GUID=11 RC_RNR_NAK_GEN=12 SRQ_RESIZE=13 N_NOTIFY_CQ=14"
                + " MEM_WINDOW=17 UD_IP_CSUM=18 XRC=20 MEM_MGT_EXTENSIONS=21"
                + " MEM_WINDOW_TYPE_2A=23 MEM_WINDOW_TYPE_2B=24 RC_IP_CSUM=25 RAW_IP_CSUM=26"
                + " MANAGED_FLOW_STEERING=29 FLUSH_GLOBAL=38 FLUSH_PERSISTENT=39 ATOMIC_WRITE=40");
  }

  @Test
  void anUnknownNumberIsRefusedWithTheLegalOnes() {
    assertThatThrownBy(() -> AtomicCapability.fromValue(3))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("no AtomicCapability has the value 3; values are [0, 1, 2]");
  }

  @Test
  void pathMtuCountsInPowersOfTwo() {
    assertValues(
        PathMtu.values(),
        PathMtu::value,
        PathMtu::fromValue,
        "MTU_256=1 MTU_512=2 MTU_1024=3 MTU_2048=4 MTU_4096=5");
    assertThat(PathMtu.values())
        .extracting(PathMtu::bytes)
        .containsExactly(256, 512, 1024, 2048, 4096);
  }

  @Test
  void theLargestPathMtuThatFitsIsFound() {
    assertThat(PathMtu.largestWithin(256)).isEqualTo(PathMtu.MTU_256);
    assertThat(PathMtu.largestWithin(1023)).isEqualTo(PathMtu.MTU_512);
    assertThat(PathMtu.largestWithin(1024)).isEqualTo(PathMtu.MTU_1024);
    assertThat(PathMtu.largestWithin(4095)).isEqualTo(PathMtu.MTU_2048);
    assertThat(PathMtu.largestWithin(Integer.MAX_VALUE)).isEqualTo(PathMtu.MTU_4096);
    assertThatThrownBy(() -> PathMtu.largestWithin(255))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("no path MTU fits into 255 bytes; the smallest needs 256");
  }

  private static <E extends Enum<E>> void assertValues(
      E[] constants, ToIntFunction<E> value, IntFunction<E> fromValue, String expected) {
    String actual =
        Arrays.stream(constants)
            .map(constant -> constant + "=" + value.applyAsInt(constant))
            .collect(Collectors.joining(" "));
    assertThat(actual).isEqualTo(expected);
    assertThat(constants)
        .allSatisfy(
            constant -> assertThat(fromValue.apply(value.applyAsInt(constant))).isSameAs(constant));
  }

  private static <E extends Enum<E>> String bits(E[] constants, ToLongFunction<E> mask) {
    return Arrays.stream(constants)
        .map(constant -> constant + "=" + bit(mask.applyAsLong(constant)))
        .collect(Collectors.joining(" "));
  }

  private static int bit(long mask) {
    assertThat(Long.bitCount(mask)).isEqualTo(1);
    return Long.numberOfTrailingZeros(mask);
  }
}
