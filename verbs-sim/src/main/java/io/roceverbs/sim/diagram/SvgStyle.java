package io.roceverbs.sim.diagram;

/**
 * The style sheet of a diagram.
 *
 * <p>Colours are written out twice, for light and dark, since viewers without custom properties
 * would paint everything black. Each rule is bound to the class of the root element, so that a
 * diagram put into a page leaves the rest of that page alone.
 */
final class SvgStyle {
  /** Class of the root element. */
  static final String ROOT = "sequence";

  static final String SHEET =
      """
      .sequence text {
        font: 12px ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
      }
      .sequence .title { font: 600 17px system-ui, Helvetica, Arial, sans-serif; }
      .sequence .node { font: 600 14px system-ui, Helvetica, Arial, sans-serif; }
      .sequence .layer { font: 12px system-ui, Helvetica, Arial, sans-serif; }
      .sequence .time { font-size: 11.5px; text-anchor: end; }
      .sequence .middle { text-anchor: middle; }
      .sequence .strong { font-weight: 600; }
      .sequence .halo { paint-order: stroke; stroke-width: 5px; stroke-linejoin: round; }
      .sequence line { fill: none; stroke-width: 1.5px; }
      .sequence .cross { stroke-width: 2.5px; stroke-linecap: round; }
      .sequence .open, .sequence .again { stroke-dasharray: 6 4; }
      .sequence .head { stroke-dasharray: none; }
      .sequence .silent { stroke-dasharray: 2 5; }
      .sequence .page { fill: #ffffff; stroke: #d0d7de; }
      .sequence .panel { fill: #f4f7fa; }
      .sequence .lane { stroke: #8c959f; }
      .sequence .halo { stroke: #ffffff; }
      .sequence text { fill: #1f2328; }
      .sequence .quiet { fill: #59636e; }
      .sequence .packet { stroke: #0969da; }
      .sequence .packet.head { fill: #0969da; }
      .sequence .call { stroke: #57606a; }
      .sequence .call.head { fill: #57606a; }
      .sequence .again { stroke: #9a6700; }
      .sequence .again.head, .sequence .amber { fill: #9a6700; }
      .sequence .failed, .sequence .cross { stroke: #cf222e; }
      .sequence .failed.head, .sequence .red { fill: #cf222e; }
      .sequence .box { stroke-width: 1.2px; }
      .sequence .box.plain { fill: #ffffff; stroke: #8c959f; }
      .sequence .box.good { fill: #dafbe1; stroke: #1a7f37; }
      .sequence .box.warning { fill: #fff8c5; stroke: #bf8700; }
      .sequence .box.failure { fill: #ffebe9; stroke: #cf222e; }
      .sequence .box.note { fill: #ddf4ff; stroke: #218bff; }
      @media (prefers-color-scheme: dark) {
        .sequence .page { fill: #0d1117; stroke: #30363d; }
        .sequence .panel { fill: #151b23; }
        .sequence .lane { stroke: #656c76; }
        .sequence .halo { stroke: #0d1117; }
        .sequence text { fill: #e6edf3; }
        .sequence .quiet { fill: #9198a1; }
        .sequence .packet { stroke: #4493f8; }
        .sequence .packet.head { fill: #4493f8; }
        .sequence .call { stroke: #9198a1; }
        .sequence .call.head { fill: #9198a1; }
        .sequence .again { stroke: #d29922; }
        .sequence .again.head, .sequence .amber { fill: #d29922; }
        .sequence .failed, .sequence .cross { stroke: #f85149; }
        .sequence .failed.head, .sequence .red { fill: #ff7b72; }
        .sequence .box.plain { fill: #212830; stroke: #656c76; }
        .sequence .box.good { fill: #12301c; stroke: #2ea043; }
        .sequence .box.warning { fill: #362a0b; stroke: #bb8009; }
        .sequence .box.failure { fill: #3c1618; stroke: #f85149; }
        .sequence .box.note { fill: #0f2a4a; stroke: #388bfd; }
      }
      """;

  private SvgStyle() {}

  /** Class of a box. */
  static String box(Tone tone) {
    return switch (tone) {
      case PLAIN -> "box plain";
      case GOOD -> "box good";
      case WARNING -> "box warning";
      case FAILURE -> "box failure";
      case NOTE -> "box note";
    };
  }
}
