/// How long the host waits for the chip: generous beside what a command takes, never without an
/// end.
///
/// A healthy exchange takes 2 to 25 ms; the rest covers USB adapters, slow links and a busy host.
enum Allowance {
  /// Any command that runs into the chip's own RF time-outs of at most 51.2 ms, twice at most.
  static let command = Duration.milliseconds(250)
  /// A look: two tries, two anticollisions, an ATS.
  static let look = Duration.milliseconds(400)
  /// An ISO-DEP exchange, which may ask for more time (ISO/IEC 14443-4, 7.3).
  static let isoDEP = Duration.milliseconds(2000)
}
