import Bytes
import Readers
import TagMemory
import Testing

@testable import TagProgramming

@Suite("Plans for Type 4 tags: what each state needs for a message")
struct Type4MessagePlannerTests {
  static let message: [UInt8] = [0xD1, 0x01, 0x04, 0x55, 0x04, 0x61, 0x2E, 0x62]

  static func container(
    size: Int = 64, read: Int = 0xF6, write: Int = 0xF6, access: FileControl.Access = .free,
    version: UInt8 = 0x20
  ) -> CapabilityFile {
    CapabilityFile(
      version: version, longestRead: read, longestWrite: write,
      message: FileControl(
        size > 0xFFFE ? .longMessage : .message, .usualMessage, byteCount: size,
        writeAccess: access))
  }

  static func planner(
    _ message: [UInt8] = message, known: [UInt8], in container: CapabilityFile = container(),
    product: Product = .type4, sent: [Place: [UInt8]] = [:]
  ) -> Type4MessagePlanner {
    Type4MessagePlanner(
      product: product, container: container,
      access: BinaryAccess(container, byteCount: message.count + 2, command: 261, answer: 262),
      known: known, message: message, sent: sent)
  }

  /// `offset: bytes purpose` of each write; `offset? count` of each check.
  private func text(_ program: TagProgram) -> [String] {
    program.steps.map { step in
      guard case .file(_, let offset) = step.place else { return "\(step)" }
      if let (_, bytes) = step.written {
        return "\(offset): \(Hex.string(bytes)) \(step.purpose.map { "\($0)" } ?? "")"
      }
      return "\(offset)? \(step.checked?.bytes.count ?? 0)"
    }
  }

  private let off = "(the present message is switched off)"
  private let on = "(the length: the message is on)"
  private let hex = "d101045504612e62"

  @Test("an empty file gets the content, then its length, and both are read back")
  func empty() throws {
    let program = try Self.planner(known: [0, 0]).plan()
    #expect(text(program) == ["2: \(hex) (content)", "0: 0008 \(on)", "0? 10"])
  }

  @Test("a chip that writes a frame whole takes both in one command, where the file is empty")
  func whole() throws {
    let program = try Self.planner(known: [0, 0], product: .ntag424).plan()
    #expect(text(program) == ["0: 0008\(hex) \(on)", "0? 10"])
    let long = try Self.planner(
      [UInt8](repeating: 1, count: 130), known: [0, 0], in: Self.container(size: 256),
      product: .ntag424
    ).plan()
    #expect(long.steps.count(where: \.isWrite) == 2)
  }

  @Test(
    "another message is switched off first; a chip that writes a frame whole does so with the new content"
  )
  func replaces() throws {
    let old: [UInt8] = [0, 3, 0xD0, 0, 0, 0, 0, 0, 0, 0]
    #expect(
      text(try Self.planner(known: old).plan()) == [
        "0: 0000 \(off)", "2: \(hex) (content)", "0: 0008 \(on)", "0? 10",
      ])
    #expect(
      text(try Self.planner(known: old, product: .ntag424).plan()) == [
        "0: 0000\(hex) \(off)", "0: 0008 \(on)", "0? 10",
      ])
  }

  @Test("what is there already is not written: all of it, its head, or all but the length")
  func differences() throws {
    let wanted = [0, 8] + Self.message
    let same = try Self.planner(known: wanted + [9, 9]).plan()
    #expect(same.steps.isEmpty && same.unchanged == 1)
    #expect(
      text(try Self.planner(known: [0, 0] + Self.message).plan()) == ["0: 0008 \(on)", "0? 10"])
    var tail = wanted
    tail[9] = 0x63
    #expect(
      text(try Self.planner(known: tail).plan()) == [
        "0: 0000 \(off)", "9: 62 (content)", "0: 0008 \(on)", "0? 10",
      ])
    // An old length over content that is the new one still goes by 0.
    #expect(
      text(try Self.planner(known: [0, 5] + Self.message).plan()) == [
        "0: 0000 \(off)", "0: 0008 \(on)", "0? 10",
      ])
  }

  @Test(
    "a length that no message has is switched off, too",
    arguments: [[0, 1], [0, 2], [0xFF, 0xFF]] as [[UInt8]])
  func reservedLength(field: [UInt8]) throws {
    let steps = text(try Self.planner(known: field).plan())
    #expect(steps.first == "0: 0000 \(off)" && steps.count == 4)
  }

  @Test("each command carries no more than MLc and MLe allow")
  func pieces() throws {
    let small = Self.container(size: 256, read: 15, write: 13)
    let message = (0..<40).map { UInt8($0) }
    let program = try Self.planner(message, known: [0, 0], in: small).plan()
    #expect(program.steps.compactMap { $0.written?.bytes.count } == [13, 13, 13, 1, 2])
    #expect(program.steps.compactMap { $0.checked?.bytes.count } == [15, 15, 12])
  }

  @Test("a large file has a length of four bytes, and offsets beyond 7FFFh in mapping version 3.0")
  func large() throws {
    let container = Self.container(size: 0x10000, version: 0x30)
    let message = [UInt8](repeating: 7, count: 0x9000)
    let program = try Self.planner(message, known: [0, 0, 0, 0], in: container).plan()
    let on = program.steps.last(where: \.isWrite)?.written
    #expect(on?.bytes == [0, 0, 0x90, 0])
    let end = program.steps.compactMap { step -> Int? in
      guard case .file(_, let offset) = step.place, let bytes = step.written?.bytes else {
        return nil
      }
      return offset + bytes.count
    }.max()
    #expect(end == 0x9004)
  }

  @Test("refuses what does not fit, or cannot be reached, with 65, and writes nothing")
  func tooLong() {
    let message = [UInt8](repeating: 7, count: 63)
    #expect(failure { try Self.planner(message, known: [0, 0]).plan() }?.kind == .badInput)
    let far = Self.container(size: 0xFFFE)
    let long = [UInt8](repeating: 7, count: 0x9000)
    #expect(failure { try Self.planner(long, known: [0, 0], in: far).plan() }?.kind == .badInput)
  }

  @Test(
    "refuses a tag that nobody may write, or only its maker's friends, unless it holds the message")
  func readOnly() throws {
    for access in [FileControl.Access.never, .proprietary(0x80), .reserved(1)] {
      let container = Self.container(access: access)
      #expect(failure { try Self.planner(known: [0, 0], in: container).plan() }?.kind == .refused)
      let same = try Self.planner(known: [0, 8] + Self.message, in: container).plan()
      #expect(same.steps.isEmpty)
    }
  }

  @Test("knows the writes of its own run that went wrong")
  func repairs() throws {
    let place = Place.file(id: 0xE104, offset: 2)
    let program = try Self.planner(known: [0, 0, 1, 2, 3], sent: [place: Self.message]).plan()
    #expect(program.repairs == [place])
  }

  @Test("after any step a reader finds the old message, an empty file or the new one")
  func everyStep() throws {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      let size = 256
      let old = (0..<Int.random(in: 3...200, using: &generator)).map { _ in
        UInt8.random(in: 0...3, using: &generator)
      }
      var file = [0, UInt8(old.count)] + old
      file += [UInt8](repeating: 0, count: size - file.count)
      var new = Array(old.prefix(.random(in: 0...old.count, using: &generator)))
      while new.count < 3 || Bool.random(using: &generator), new.count < 200 {
        new.append(.random(in: 0...3, using: &generator))
      }
      let read = Int.random(in: 2...size, using: &generator)
      let container = Self.container(
        size: size, read: 15, write: .random(in: 2...255, using: &generator))
      let product: Product = Bool.random(using: &generator) ? .type4 : .ntag424
      let program = try Self.planner(
        Array(new), known: Array(file.prefix(read)), in: container, product: product
      ).plan()
      for step in program.steps {
        guard let (place, bytes) = step.written, case .file(_, let offset) = place else { continue }
        file.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        let shown = Array(file[2..<2 + Int(file[1])])
        #expect(shown == old || shown.isEmpty || shown == Array(new))
      }
      #expect(Array(file[2..<2 + Int(file[1])]) == Array(new))
    }
  }
}
