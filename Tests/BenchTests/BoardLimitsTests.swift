import Bench
import Foundation
import TagProgramming
import Testing

@Suite("A board's limits")
struct BoardLimitsTests {
  /// The frames of reading a tag with `limits`, hexadecimal.
  private func trace(_ limits: [String: BoardLimits]) throws -> (String, Int) {
    let path = FileManager.default.temporaryDirectory.appending(path: "limits-\(UUID())").path()
    defer { try? FileManager.default.removeItem(atPath: path) }
    var settings = ReaderSession.Settings()
    settings.trace = try Trace(NamedFile(path, .given))
    settings.boards = limits
    let session = try ReaderSession(opening: ReaderChoice(named: "sim:ntag216"), settings)
    let report = Programmer(reader: session.reader).run(.dump)
    #expect(report.failure == nil)
    let speed = session.reader.speed?.bitsPerSecond ?? 0
    try session.close()
    return (try String(contentsOfFile: path, encoding: .utf8), speed)
  }

  @Test("what it cannot do is not asked of it, from the first tag on")
  func honoured() throws {
    let (free, fastest) = try trace([:])
    #expect(free.contains("\"command\":\"423a") && free.contains("\"command\":\"3202000b08\""))
    #expect(fastest == 921_600)
    let (limited, speed) = try trace([
      "sim:ntag216": BoardLimits(speed: .baud230400, fastReadPages: 4, hasSlowTags: true)
    ])
    #expect(!limited.contains("\"command\":\"423a") && limited.contains("3202000b0a"))
    #expect(!limited.contains("3202000b08") && speed == 230_400)
  }

  @Test("limits of another reader mean nothing")
  func others() throws {
    let (text, _) = try trace(["sim:ntag213": BoardLimits(fastReadPages: 4)])
    #expect(text.contains("\"command\":\"423a"))
  }
}
