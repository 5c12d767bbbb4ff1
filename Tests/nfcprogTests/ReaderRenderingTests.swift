import Bench
import Testing

@testable import LibNFCReaders
@testable import nfcprog

@Suite("What readers says of a serial line's speed")
struct ReaderRenderingTests {
  private func state(_ speed: AutomaticSpeed?) -> ReaderState {
    var reader = ReaderDescription(
      connection: "pn532_uart:/dev/ttyUSB0", attachment: .usbSerial, device: "/dev/ttyUSB0")
    reader.automaticSpeed = speed
    return ReaderState(reader, check: false)
  }

  @Test("a port that a check leaves out is not called good, and how to check it is said")
  func leftOut() {
    let port = ReaderDescription(
      connection: "pn532_uart:/dev/ttyS0", attachment: .uart, device: "/dev/ttyS0")
    let listed = ReaderState(port, check: false)
    #expect(listed.obstacle == nil && ReaderJSON(listed, event: nil).canOpen)
    let checked = ReaderState(port, check: true)
    let object = ReaderJSON(checked, event: nil)
    #expect(!object.canOpen && object.problem == "unchecked")
    let lines = ReaderRendering.lines(checked)
    #expect(lines.contains { $0.hasPrefix("  was not opened: ") && $0.hasSuffix("[unchecked]") })
    #expect(
      lines.contains { $0.contains("nfcprog readers --check pn532_uart:/dev/ttyS0") })
  }

  @Test("whether --baud auto raises it, and if not, why")
  func automaticSpeed() {
    let cases: [(AutomaticSpeed?, line: String?, json: String?, reason: String?)] = [
      (nil, nil, nil, nil),
      (.raises, "  --baud auto raises the speed, up to 921600 baud", "raises", nil),
      (
        .stays(.oldKernel(driver: "ch341")),
        "  --baud auto does not raise the speed: the driver ch341 is wrong at 921600 baud before Linux 5.5",
        "stays", "the driver ch341 is wrong at 921600 baud before Linux 5.5"
      ),
      (
        .stays(.unknownDriver("cdc_acm")),
        "  --baud auto does not raise the speed: the driver cdc_acm is not known to support a higher speed",
        "stays", "the driver cdc_acm is not known to support a higher speed"
      ),
      (
        .stays(.hasLostBoard(bitsPerSecond: 921_600)),
        "  --baud auto does not raise the speed: a board was lost on it at 921600 baud",
        "stays", "a board was lost on it at 921600 baud"
      ),
    ]
    for (speed, line, json, reason) in cases {
      let state = state(speed)
      #expect(
        ReaderRendering.lines(state).first { $0.contains("--baud") } == line)
      let object = ReaderJSON(state, event: nil)
      #expect(object.baudAuto == json && object.baudAutoReason == reason)
    }
  }
}
