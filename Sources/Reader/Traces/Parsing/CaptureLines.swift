import Bytes

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Captures as JSON Lines: one a line, with the frames of both directions in their order.
enum CaptureLines {
  private struct Line: Decodable {
    struct Frame: Decodable {
      var dir: String
      var hex: String?
      var note: String?
      /// Whatever says that the frame is not whole.
      var check: Check?
      var tMs: Double?
      var startCyc: Double?
      var endCyc: Double?

      enum CodingKeys: String, CodingKey {
        case dir, hex, note, check
        case tMs = "t_ms"
        case startCyc = "start_cyc"
        case endCyc = "end_cyc"
      }
    }

    struct Check: Decodable {
      let text: String

      init(from decoder: any Decoder) throws {
        text = (try? decoder.singleValueContainer().decode(String.self)) ?? "damaged"
      }
    }

    var id: String
    var level: String?
    var frames: [Frame]
  }

  static func isLine(_ line: some StringProtocol) -> Bool {
    line.hasPrefix("{") && line.contains("\"frames\"") && line.contains("\"hex\"")
  }

  /// A session a line. Throws `badLine` for one that is no capture.
  static func sessions(_ lines: [NumberedLine]) throws(TraceError) -> [RecordedSession] {
    var sessions: [RecordedSession] = []
    for line in lines where !line.text.allSatisfy(\.isWhitespace) {
      guard let read = try? JSONDecoder().decode(Line.self, from: Data(line.text.utf8)) else {
        // A copy may have been cut off.
        if !line.isWhole, !sessions.isEmpty {
          sessions[sessions.count - 1].remarks.append(
            .init(line: line.number, "the line is cut off"))
          continue
        }
        throw .badLine(line.number, "it is no capture")
      }
      sessions.append(try session(read, line.number))
    }
    return sessions
  }

  private static func session(_ read: Line, _ line: Int) throws(TraceError) -> RecordedSession {
    let isAir = read.level?.contains("card") == true
    var host = HostFrames()
    var air = AirFrames()
    for frame in read.frames {
      guard ["tx", "rx", "event"].contains(frame.dir) else {
        throw .badLine(line, "a frame goes from tx or rx")
      }
      guard frame.dir != "event", let hex = frame.hex else {
        if frame.note?.contains("timeout") == true { host.timeOut() }
        continue
      }
      guard let bytes = try? Hex.bytes(hex.filter { !$0.isWhitespace }) else {
        throw .badLine(line, "a frame is not hexadecimal")
      }
      let direction: FrameDirection = frame.dir == "tx" ? .toTag : .fromTag
      let isBare =
        read.level?.contains("payload") == true
        && ![0xD4, 0xD5, 0xFF, 0x7F].contains(bytes.first)
      if isAir {
        air.add(
          AirFrame(
            line: line, direction: direction, bytes: bytes,
            start: Self.cycles(frame.startCyc) ?? Self.milliseconds(frame.tMs),
            end: Self.cycles(frame.endCyc), isPartial: frame.check != nil))
      } else {
        // Without its TFI.
        let tfi: [UInt8] = isBare ? [direction == .toTag ? 0xD4 : 0xD5] : []
        host.add(
          tfi + bytes, direction, line: line, time: Self.milliseconds(frame.tMs),
          isPartial: frame.check?.text == "head")
      }
    }
    var session = isAir ? air.session() : host.session()
    session.name = read.id
    return session
  }

  private static func milliseconds(_ value: Double?) -> Duration? {
    value.flatMap { abs($0) < 1e12 ? .microseconds($0 * 1000) : nil }
  }

  /// Periods of the carrier, 13.56 MHz.
  private static func cycles(_ value: Double?) -> Duration? {
    value.flatMap { abs($0) < 1e15 ? .microseconds($0 / 13.56) : nil }
  }
}
