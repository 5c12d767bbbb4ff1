import Bench
import JSON

/// What a telephone did with the messages of the test: `emulate --phone-test`. What is nil is
/// absent.
struct PhoneTestJSON: OutputDocument {
  var command = "emulate"
  /// `tested`, or `interrupted`.
  var result: String
  /// Of nfcprog, libnfc and the host.
  var reader: String
  var version: String
  var libnfc: String
  var kernel: String?
  var messages: [MessageJSON]

  /// One message of the test.
  struct MessageJSON: Encodable {
    /// `link`, `app-clip`, `wifi` or `text-first`.
    var name: String
    /// `read`: the whole message; `left`: not all of it; `none`: no telephone came;
    /// `skipped`: nobody waited for one any more.
    var result: String
    /// Says whether a person saw the telephone show or open it; absent where nobody has said.
    var shown: Bool?
    /// Every tap, as one of `emulate --json`.
    var taps: [TapJSON]
  }

  init(_ report: PhoneTestReport) {
    result = report.isInterrupted ? "interrupted" : "tested"
    (reader, version, libnfc) = (report.reader, report.version, report.libnfc)
    kernel = report.kernel
    messages = report.results.map { result in
      MessageJSON(
        name: result.message.rawValue,
        result: result.best.map { $0.isWhole ? "read" : "left" }
          ?? (result.isSkipped ? "skipped" : "none"), shown: result.isShown,
        taps: result.taps.map(TapJSON.init))
    }
  }
}
