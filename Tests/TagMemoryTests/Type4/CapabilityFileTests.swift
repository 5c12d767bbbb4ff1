import Bytes
import SeededNumbers
import Testing

@testable import TagMemory

@Suite("Capability containers of Type 4 tags, Type 4 Tag 1.2, 4.3")
struct CapabilityFileTests {
  /// Bytes, mapping version, MLe, MLc, file, its size, status, capacity.
  static let containers: [(String, UInt8, Int, Int, UInt16, Int, NDEFStatus, Int)] = [
    // DESFire EV1 after AN11004; NTAG 424 DNA as delivered (NT4H2421Gx, 8.2.3.2).
    ("000F20003A00340406E10408000000", 0x20, 0x3A, 0x34, 0xE104, 0x800, .readWrite, 0x7FE),
    (
      "001720010000FF0406E104010000000506E10500808283", 0x20, 0x100, 0xFF, 0xE104, 0x100,
      .readWrite,
      254
    ),
    // A card as phones emulate it; a locked one; one that wants a password for writing, and one for
    // reading.
    ("000F20005400FF0406E104FFFE0000", 0x20, 84, 255, 0xE104, 0xFFFE, .readWrite, 0xFFFC),
    ("000F2000F600F60406E104080000FF", 0x20, 0xF6, 0xF6, 0xE104, 0x800, .readOnly, 0x7FE),
    ("000F2000FF00360406000101000080", 0x20, 0xFF, 0x36, 0x0001, 0x100, .readOnly, 254),
    ("000F2000FF00360406000101008000", 0x20, 0xFF, 0x36, 0x0001, 0x100, .notSupported, 254),
    // Mapping 1.0, and 3.0 with a large file.
    ("000F10003B00340406E10403FF0000", 0x10, 0x3B, 0x34, 0xE104, 0x3FF, .readWrite, 0x3FD),
    (
      "001130FFFFFFFF0608E104000100000000", 0x30, 0xFFFF, 0xFFFF, 0xE104, 0x10000, .readWrite,
      0xFFFC
    ),
  ]

  @Test("parses and serializes every container", arguments: containers)
  func parses(
    hex: String, version: UInt8, read: Int, write: Int, file: UInt16, size: Int,
    status: NDEFStatus, capacity: Int
  ) throws {
    let bytes = try Hex.bytes(hex)
    let container = try CapabilityFile(parsing: bytes)
    #expect((container.version, container.longestRead) == (version, read))
    #expect((container.longestWrite, container.message.file) == (write, FileID(file)))
    #expect((container.message.byteCount, container.message.capacity) == (size, capacity))
    #expect(container.status == status)
    #expect(container.serialize() == bytes)
  }

  @Test("reads the files behind the message's")
  func others() throws {
    let container = try CapabilityFile(
      parsing: Hex.bytes("001720010000FF0406E104010000000506E10500808283") + [0, 0, 0])
    #expect(
      container.others == [
        FileControl(
          .proprietary, FileID(0xE105), byteCount: 0x80, readAccess: .proprietary(0x82),
          writeAccess: .proprietary(0x83))
      ])
    #expect(container.faults.isEmpty)
  }

  @Test("asks for no more of a long container than was read")
  func firstBytes() throws {
    let bytes = try Hex.bytes("001720010000FF0406E10401000000")
    let container = try CapabilityFile(parsing: bytes)
    #expect(container.others.isEmpty && container.faults.isEmpty)
  }

  @Test(
    "names why a message cannot be found",
    arguments: [
      ("", CapabilityError.tooShort(0)),
      ("000F20003A00340406E104080000", .tooShort(14)),
      ("000E20003A00340406E10408000000", .lengthReserved(14)),
      ("800020003A00340406E10408000000", .lengthReserved(0x8000)),
      ("FFFFFFFFFFFFFFFFFFFFFFFFFFFFFF", .lengthReserved(0xFFFF)),
      ("000F40003A00340406E10408000000", .version(0x40)),
      ("000F00003A00340406E10408000000", .version(0)),
      ("000F20000000340406E10408000000", .readsNothing),
      ("000F20003A00340506E10408000000", .messageMissing(5)),
      ("000F20003A00340906E10408000000", .messageMissing(9)),
      ("000F20003A00340405E10408000000", .controlLength(4, 5)),
      ("000F20003A00340608E10400000800", .controlCutShort(6)),
      ("000F20003A00340406E10308000000", .fileReserved(.capability)),
      ("000F20003A00340406000008000000", .fileReserved(FileID(0))),
      ("000F20003A003404063F0008000000", .fileReserved(FileID(0x3F00))),
      ("000F20003A00340406E10400040000", .fileSize(4)),
      ("000F20003A00340406E10400000000", .fileSize(0)),
    ])
  func fatal(hex: String, fault: CapabilityError) throws {
    let bytes = try Hex.bytes(hex)
    #expect(throws: fault) { try CapabilityFile(parsing: bytes) }
  }

  @Test(
    "names what is odd and keeps the message",
    arguments: [
      ("000F20000E00340406E10408000000", [CapabilityError.readsFew(14)]),
      ("000F20003A000C0406E10408000000", [.writesFew(12)]),
      ("000F20003A00340406E104FFFF0000", [.fileSize(0xFFFF)]),
      ("000F30003A00340406E10480000000", [.fileSize(0x8000)]),
      (
        "000F20003A00340406E10408000180",
        [.readAccess(.reserved(1)), .writeAccess(.proprietary(0x80))]
      ),
      ("001120003A00340608E104000008000000", [.longFile(0x20)]),
      ("001220003A00340406E10408000000090100", [.unknownControl(9)]),
      ("001720003A00340406E104080000000406E10500800000", [.secondMessage(FileID(0xE105))]),
      ("001120003A00340406E104080000000506", [.controlCutShort(5)]),
      (
        "001720003A00340406E104080000000505E10500800000",
        [.controlLength(5, 5), .unknownControl(0)]
      ),
    ])
  func odd(hex: String, faults: [CapabilityError]) throws {
    let container = try CapabilityFile(parsing: Hex.bytes(hex))
    #expect(container.faults == faults)
    #expect(container.message.file == FileID(0xE104))
  }

  @Test("takes whatever a tag sends, and never reads beyond it")
  func hostile() {
    var generator = SeededGenerator(seed: 4)
    let good: [UInt8] = [
      0, 0x17, 0x20, 1, 0, 0, 0xFF, 4, 6, 0xE1, 4, 1, 0, 0, 0, 5, 6, 0xE1, 5, 0, 0x80, 0x82, 0x83,
    ]
    for _ in 0..<20_000 {
      var bytes = good
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(
          in: 0...255, using: &generator)
      }
      bytes = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &generator)))
      guard let container = try? CapabilityFile(parsing: bytes) else { continue }
      #expect(!FileID.reserved.contains(container.message.file))
      #expect(container.message.capacity >= 3 && container.longestRead > 0)
    }
  }
}

@Suite("Length fields and commands of Type 4 tags")
struct BinaryAccessTests {
  static let control = FileControl(.message, .usualMessage, byteCount: 0x100)

  @Test(
    "tells an empty file, a message and reserved lengths apart",
    arguments: [
      ([0, 0], MessageLength.empty), ([0, 1], .reserved(1)), ([0, 2], .reserved(2)),
      ([0, 3], .message(3)), ([0, 0xFE], .message(254)), ([0, 0xFF], .tooLong(255)),
      ([0xFF, 0xFF], .tooLong(0xFFFF)),
    ])
  func lengths(bytes: [UInt8], length: MessageLength) {
    #expect(MessageLength(bytes, in: Self.control) == length)
  }

  @Test("has four bytes for a large file, and needs all of them")
  func longLength() {
    let control = FileControl(.longMessage, .usualMessage, byteCount: 0x20000)
    #expect(MessageLength([0, 1, 0xFF, 0xFC], in: control) == .message(0x1FFFC))
    #expect(MessageLength([0, 1, 0xFF, 0xFD], in: control) == .tooLong(0x1FFFD))
    #expect(MessageLength([0, 0, 0], in: control) == nil)
    #expect(MessageLength.bytes(0x12345, in: control) == [0, 1, 0x23, 0x45])
    #expect(MessageLength.bytes(0x1234, in: Self.control) == [0x12, 0x34])
  }

  private func access(_ read: Int, _ write: Int, version: UInt8 = 0x20, byteCount: Int = 100)
    -> BinaryAccess
  {
    BinaryAccess(
      CapabilityFile(
        version: version, longestRead: read, longestWrite: write, message: Self.control),
      byteCount: byteCount, command: 261, answer: 262)
  }

  @Test("selects as each mapping version does")
  func selects() throws {
    #expect(
      CommandAPDU.selectNDEFApplication(.current).serialize()
        == (try Hex.bytes("00A4040007D276000085010100")))
    #expect(
      CommandAPDU.selectNDEFApplication(.first).serialize()
        == (try Hex.bytes("00A4040007D2760000850100")))
    #expect(
      CommandAPDU.select(.capability, in: .current).serialize()
        == (try Hex.bytes("00A4000C02E103")))
    #expect(
      CommandAPDU.select(.capability, in: .first).serialize() == (try Hex.bytes("00A4000002E103")))
  }

  @Test("reads and writes in short commands, as large as MLe and MLc allow")
  func short() throws {
    let small = access(0x3A, 0x34)
    #expect((small.readLimit(at: 0), small.writeLimit(at: 0)) == (0x3A, 0x34))
    #expect(small.read(0x3A, from: 0x102).serialize() == (try Hex.bytes("00B001023A")))
    #expect(small.update([1, 2], from: 2).serialize() == (try Hex.bytes("00D60002020102")))
    let large = access(0x100, 0xFF)
    #expect(large.read(0x100, from: 0).serialize() == (try Hex.bytes("00B0000000")))
    #expect(large.writeLimit(at: 0) == 0xFF && !large.isExtended)
  }

  @Test("uses extended lengths only where the container allows them and they save a command")
  func extended() throws {
    #expect(!access(0x100, 0xFF, byteCount: 259).isExtended)
    #expect(!access(0x800, 0x800, byteCount: 100).isExtended)
    let saving = access(0x800, 0x800, byteCount: 5000)
    #expect(saving.isExtended == false)
    let reading = access(0x800, 0x0D, byteCount: 260)
    #expect(reading.isExtended && reading.readLimit(at: 0) == 260)
    #expect(reading.read(260, from: 0).serialize() == (try Hex.bytes("00B00000000104")))
    #expect(reading.update([7], from: 0).serialize() == (try Hex.bytes("00D6000000000107")))
  }

  @Test("reaches beyond 7FFFh with data objects, in mapping version 3.0 only")
  func objects() throws {
    let access = access(0x100, 0xFF, version: 0x30)
    #expect(access.reaches(0x8000) && !self.access(0x100, 0xFF).reaches(0x8000))
    #expect(access.readLimit(at: 0x7FFF) == 0x100 && access.readLimit(at: 0x8000) == 253)
    #expect(access.writeLimit(at: 0x8000) == 247)
    #expect(
      access.read(253, from: 0x8000).serialize() == (try Hex.bytes("00B10000055403008000") + [0x00])
    )
    #expect(
      access.update([0xAB, 0xCD], from: 0x012345).serialize()
        == (try Hex.bytes("00D70000095403012345" + "5302ABCD")))
    #expect(access.update([UInt8](repeating: 1, count: 247), from: 0x8000).data.count == 255)
    #expect(access.content(of: [0x53, 2, 5, 6], from: 0x8000) == [5, 6])
    #expect(access.content(of: [0x53, 0x81, 1, 5], from: 0x8000) == [5])
    for bad: [UInt8] in [[], [0x53], [0x53, 3, 5, 6], [0x54, 2, 5, 6], [0x53, 0x84, 0, 0, 0, 1]] {
      #expect(access.content(of: bad, from: 0x8000) == nil)
    }
    #expect(access.content(of: [5, 6], from: 0x7FFF) == [5, 6])
  }

  @Test(
    "knows how much of an UPDATE fits one frame",
    arguments: [
      ("75778102" + "80", 64, 55, "80"), ("7777710280", 128, 119, "80"), ("", 32, 23, ""),
      ("78807002", 256, 247, ""), ("0F", 256, 247, ""), ("20417C", 16, 7, "7C"),
    ])
  func frames(ats: String, frame: Int, update: Int, historical: String) throws {
    let parameters = ISODEPParameters(ats: try Hex.bytes(ats))
    #expect((parameters.frameByteCount, parameters.updateByteCount) == (frame, update))
    #expect(parameters.historicalBytes == (try Hex.bytes(historical)))
  }
}
