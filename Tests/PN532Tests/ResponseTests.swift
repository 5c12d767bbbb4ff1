import Bytes
import PN532
import Testing

@Suite("Answers, UM0701-02 7.2 and 7.3")
struct ResponseTests {
  private func text(_ target: TypeATarget) -> String {
    let atqa = Hex.string([UInt8(target.atqa >> 8), UInt8(target.atqa & 0xFF)])
    return
      "\(target.number)/\(atqa)/\(Hex.byte(target.sak))/\(Hex.string(target.uid))/\(Hex.string(target.ats))"
  }

  @Test("type A tags are read and written", arguments: try Vector.load("targets"))
  func typeA(_ vector: Vector) throws {
    let targets = try TypeATarget.list(parsing: try vector.bytes(1))
    #expect(targets.map(text).joined(separator: " ") == vector.fields[2])
    #expect([UInt8(targets.count)] + targets.flatMap { $0.serialize() } == (try vector.bytes(1)))
  }

  @Test("without automatic RATS no ATS is looked for")
  func withoutRATS() throws {
    let bytes = try Hex.bytes("02 01 03 44 20 04 01 02 03 04 02 03 44 20 04 05 06 07 08")
    let targets = try TypeATarget.list(parsing: bytes, automaticRATS: false)
    #expect(targets.map(\.uid) == [[1, 2, 3, 4], [5, 6, 7, 8]])
  }

  @Test("FeliCa tags are read and written, with and without system code")
  func feliCa() throws {
    let bytes = try Hex.bytes(
      "02 01 14 01 0102030405060708 1112131415161718 12fc 02 12 01 2122232425262728 3132333435363738"
    )
    let targets = try FeliCaTarget.list(parsing: bytes)
    #expect(targets.map(\.systemCode) == [0x12FC, nil])
    #expect(targets[0].idm == [1, 2, 3, 4, 5, 6, 7, 8])
    #expect([2] + targets.flatMap { $0.serialize() } == bytes)
  }

  @Test("firmware, status and exchanges are read and written")
  func others() throws {
    let firmware = try FirmwareVersion(parsing: [0x32, 0x01, 0x06, 0x07])
    #expect(firmware.description == "PN532 v1.6")
    #expect(firmware.serialize() == [0x32, 0x01, 0x06, 0x07])
    let status = try GeneralStatus(parsing: [0x14, 0x00, 0x01, 0x01, 0x00, 0x00, 0x00, 0x80])
    #expect(status.lastError == .authentication)
    #expect(status.targets.map(\.number) == [1])
    #expect(status.serialize() == [0x14, 0x00, 0x01, 0x01, 0x00, 0x00, 0x00, 0x80])
    let exchange = try ExchangeAnswer(parsing: [0x41, 0x0A])
    #expect(exchange == ExchangeAnswer(status: .timeout, more: true, data: [0x0A]))
    #expect(exchange.serialize() == [0x41, 0x0A])
  }

  @Test("what is no answer throws and says where")
  func malformed() {
    func reason(_ body: () throws -> Void) -> String {
      do { try body() } catch { return "\(error)" }
      return "nothing"
    }
    #expect(
      reason { _ = try TypeATarget.list(parsing: []) }
        == "the list of tags is cut short: 1 bytes are needed at offset 0, 0 are left")
    #expect(
      reason { _ = try TypeATarget.list(parsing: [1, 1, 0, 4, 8, 4, 1, 2]) }
        == "the list of tags is cut short: 4 bytes are needed at offset 6, 2 are left")
    #expect(
      reason { _ = try TypeATarget.list(parsing: [3]) }
        == "the list of tags holds 03h at offset 0, which cannot stand there")
    #expect(
      reason { _ = try TypeATarget.list(parsing: [1, 1, 0, 4, 8, 5, 1, 2, 3, 4, 5]) }
        == "the list of tags holds 05h at offset 5, which cannot stand there")
    #expect(
      reason { _ = try TypeATarget.list(parsing: [0, 9]) }
        == "the list of tags is followed by 1 bytes that do not belong to it, from offset 1")
    #expect(
      reason { _ = try FeliCaTarget.list(parsing: [1, 1, 17, 1]) }
        == "the list of FeliCa tags is cut short: 8 bytes are needed at offset 4, 0 are left")
    #expect(
      reason { _ = try FirmwareVersion(parsing: [0x32, 1, 6]) }
        == "the firmware version is cut short: 4 bytes are needed at offset 0, 3 are left")
    #expect(
      reason { _ = try ExchangeAnswer(parsing: []) }
        == "the exchange's answer is cut short: 1 bytes are needed at offset 0, 0 are left")
  }

  @Test("hostile answers end in a value or an error, never in a trap")
  func hostile() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<5000 {
      let bytes = (0..<Int.random(in: 0...30, using: &random)).map { _ in
        UInt8.random(in: 0...(Bool.random(using: &random) ? 4 : 255), using: &random)
      }
      let tags = try? TypeATarget.list(parsing: bytes)
      #expect(tags?.count ?? 0 <= 2)
      _ = try? TypeATarget.list(parsing: bytes, automaticRATS: false)
      _ = try? FeliCaTarget.list(parsing: bytes)
      _ = try? GeneralStatus(parsing: bytes)
      _ = try? ExchangeAnswer(parsing: bytes)
    }
  }
}
