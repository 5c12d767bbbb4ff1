import NDEF
import PN532Simulator
import TagMemory
import TagProgramming
import Testing

@testable import Provisioning

/// Tags as they may come.
enum CollectedStates: String, CaseIterable {
  case delivered, written, locked, protected, hidden

  /// Brings a tag there; false where its kind cannot be.
  func apply(to tag: any StoredTag) throws -> Bool {
    switch self {
    case .delivered: return true
    case .written: return Self.run(.write(try Self.message), on: tag)
    case .locked:
      return Self.run(.write(try Self.message), on: tag) && Self.run(.lock(force: true), on: tag)
    case .protected: return try Self.protect(tag, readToo: false)
    case .hidden: return try Self.protect(tag, readToo: true)
    }
  }

  /// The tag with a password that hides what it holds.
  static func hidden(_ tag: any StoredTag) throws -> any StoredTag {
    let isHidden = try Self.hidden.apply(to: tag)
    #expect(isHidden)
    return tag
  }

  private static var message: Message {
    get throws { try Message(URIRecord("https://example.com/t/1").record) }
  }

  private static func protect(_ tag: any StoredTag, readToo: Bool) throws -> Bool {
    guard run(.write(try message), on: tag) else { return false }
    return [[0x11, 0x22, 0x33, 0x44], [UInt8](repeating: 0x5A, count: 16)].contains { secret in
      Protection(secret, readToo: readToo).map { run(.protect($0), on: tag) } ?? false
    }
  }

  private static func run(_ job: Job, on tag: any StoredTag) -> Bool {
    defer { tag.powerOff() }
    var options = RunOptions()
    options.timeout = .zero
    return Programmer(reader: TestReader("other", [tag]).reader, options: options).run(job).failure
      == nil
  }
}

@Suite("A line that only reads changes no tag")
struct UntouchedTests {
  @Test("whatever the tag and its state", arguments: TagCatalog.names)
  func untouched(_ product: String) throws {
    for state in CollectedStates.allCases {
      let tag = try TagCatalog.tag(product, index: 0)
      guard try state.apply(to: tag) else { continue }
      let (memory, cycles) = (tag.eeprom.bytes, tag.eeprom.programmingCycles)
      let registers = tag.storedRegisters
      let reader = TestReader("1", [tag])
      _ = try CollectingBench().run([reader]) { $0.mustBeGenuine = true }
      #expect(tag.eeprom.bytes == memory, "\(product), \(state)")
      #expect(tag.eeprom.programmingCycles == cycles, "\(product), \(state)")
      #expect(tag.storedRegisters == registers, "\(product), \(state)")
      // PWD_AUTH, by InDataExchange or InCommunicateThru.
      let isType2 = Product.named(product)?.type2 != nil
      let passwords = reader.link.sent.filter {
        isType2 && ($0.starts(with: [0x40, 1, 0x1B]) || $0.starts(with: [0x42, 0x1B]))
      }
      #expect(passwords.isEmpty, "\(product), \(state)")
    }
  }
}
