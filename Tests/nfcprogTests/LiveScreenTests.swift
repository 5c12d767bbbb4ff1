import Foundation
import TagMemory
import Testing

@testable import Provisioning
@testable import nfcprog

/// Whole screens, as they were looked at in a terminal. `RECORD_SNAPSHOTS=1` records them anew.
@Suite("Screens of a line")
struct LiveScreenTests {
  /// What one station and then the others show.
  private func view(_ stations: Int) -> LiveView {
    let names = ["left", "right", "pn532_uart:/dev/serial/by-id/usb-FTDI_A5", "rear"]
    var view = LiveView(
      title: "nfcprog provision: 40 jobs. Ctrl-C ends the run; it can continue later.",
      stations: (0..<stations).map { $0 < names.count ? names[$0] : "a\($0 + 1)" }, goal: 40,
      before: 10)
    var seconds = 1
    func take(_ station: Int, _ kind: LineEvent.Kind) {
      seconds += 7
      view.take(LineEvent(station: station, kind: kind), now: .seconds(seconds))
    }
    var worn = TagOutcome.made(.failed, uid: uid(2), cause: "mismatch", "Page 2Ch holds 00.")
    worn.isScrap = true
    let outcomes: [TagOutcome] = [
      .made(.passed, uid: uid(1)), worn, .made(.held, uid: uid(3)),
      .made(.left, uid: uid(4), cause: "written"), .made(.left, uid: uid(5), cause: "foreign"),
    ]
    // The first station sees them all; the last thing there is the tag that slipped away.
    let order = [outcomes[0], outcomes[1], outcomes[3], outcomes[4], outcomes[2]]
    for (index, outcome) in order.enumerated() {
      take(0, .found(outcome.uid, number: index + 1))
      take(0, .finished(outcome))
      take(0, .ready)
    }
    for station in 1..<max(2, stations) where station < stations {
      take(station, .ready)
      guard station % 6 != 5 else { continue }
      take(station, .found(outcomes[station % 5].uid, number: 1))
      take(station, .finished(outcomes[station % 5]))
    }
    return view
  }

  private func uid(_ number: UInt8) -> UID { UID([4, 0, 0, 0, 0, 0, number]) }

  @Test(
    "stay as they are", arguments: [(60, 20), (80, 24), (120, 40)], [1, 4, 12])
  func screens(size: (Int, Int), stations: Int) throws {
    let lines = view(stations).lines(width: size.0 - 1, height: size.1 - 1, now: .seconds(300))
    let text = lines.map { line in
      String(line.map(\.text).joined().reversed().drop { $0 == " " }.reversed()) + "\n"
    }.joined()
    let name = "screen-\(size.0)x\(size.1)-\(stations)"
    if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] != nil {
      let folder = URL(filePath: #filePath).deletingLastPathComponent()
      try text.write(
        to: folder.appending(path: "Snapshots/\(name).txt"), atomically: true, encoding: .utf8)
    }
    let url = try #require(
      Bundle.module.url(forResource: name, withExtension: "txt", subdirectory: "Snapshots"))
    #expect(try String(contentsOf: url, encoding: .utf8) == text)
  }
}
