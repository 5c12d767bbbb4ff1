import Bytes
import TagMemory
import Testing

@testable import TagProgramming

/// A row of a planner's table: a tag, what is wanted of it, and the steps that lead there, written
/// by hand.
///
///     open 1 A ffffffffffff        authenticate sector 1 with this key A
///     write 4 0300fe… content      write block 4; … means zeros up to 16 bytes, …144 up to 144
///     write p4 0306d101 switchOn   write page 4
///     read 4 0300fe…               read block 4 back; ?? may be any byte
///     password 11223344 0102       give the password, which is acknowledged so
///     refuses p39 00000000         without the password this write must be refused
struct PlanRow: CustomTestStringConvertible, Sendable {
  enum Outcome: Sendable {
    case steps(String)
    case refused(JobFailure.Kind)
  }

  let testDescription: String
  let outcome: Outcome
  let plan: @Sendable () throws(JobFailure) -> TagProgram

  init(
    _ name: String, _ plan: @escaping @Sendable () throws(JobFailure) -> TagProgram,
    gives steps: String
  ) {
    (testDescription, outcome, self.plan) = (name, .steps(steps), plan)
  }

  init(
    _ name: String, _ plan: @escaping @Sendable () throws(JobFailure) -> TagProgram,
    isRefused kind: JobFailure.Kind
  ) {
    (testDescription, outcome, self.plan) = (name, .refused(kind), plan)
  }

  /// Plans, and compares.
  func check() {
    do throws(JobFailure) {
      let program = try plan()
      guard case .steps(let steps) = outcome else {
        Issue.record("planned: \(program.steps.map(\.line))")
        return
      }
      let wanted = steps.split(separator: "\n").map { Self.expanded(String($0)) }
      #expect(program.steps.map(\.line) == wanted)
    } catch {
      guard case .refused(let kind) = outcome else {
        Issue.record("refused: \(error)")
        return
      }
      #expect(error.kind == kind)
    }
  }

  /// `line` with zeros in the place of `…`.
  private static func expanded(_ line: String) -> String {
    line.split(separator: " ").map { token in
      let parts = token.split(separator: "…", omittingEmptySubsequences: false)
      guard parts.count == 2 else { return String(token) }
      let digits = 2 * (Int(parts[1]) ?? Block.byteCount)
      return parts[0] + String(repeating: "0", count: digits - parts[0].count)
    }.joined(separator: " ")
  }
}

extension TagProgram.Step {
  /// As the tables write it.
  fileprivate var line: String {
    switch action {
    case .authenticate(.key(let key)):
      "open \(unit) \(key.type == .a ? "A" : "B") \(Hex.string(key.key.bytes))"
    case .authenticate(.password(let password, let pack)):
      "password \(Hex.string(password))"
        + (pack.isEmpty ? "" : " " + pack.map { $0.map(Hex.byte) ?? "??" }.joined())
    case .write(let bytes, let purpose): "write \(unit) \(Hex.string(bytes)) \(Self.word(purpose))"
    case .check(let bytes):
      "read \(unit) \(bytes.map { $0.map(Hex.byte) ?? "??" }.joined())"
    case .checkDigits(let skipped, let count): "digits \(unit) \(skipped) \(count)"
    case .checkRefusal(let bytes): "refuses \(unit) \(Hex.string(bytes))"
    case .authenticate(.desFire), .perform, .prove: "\(self)"
    }
  }

  private var unit: String {
    switch place {
    case .sector(let sector): "\(sector.index)"
    case .block(let block): "\(block.index)"
    case .page(let page): "p\(page.number)"
    default: "\(place)"
    }
  }

  private static func word(_ purpose: TagProgram.Purpose) -> String {
    purpose == .raw(isIrreversible: true) ? "rawForGood" : purpose.word
  }
}

/// The bytes of hexadecimal digits, with spaces as they please.
func hex(_ text: String) -> [UInt8] {
  let digits = text.filter { $0 != " " }
  return stride(from: 0, to: digits.count, by: 2).map { start in
    UInt8(digits.dropFirst(start).prefix(2), radix: 16)!
  }
}
