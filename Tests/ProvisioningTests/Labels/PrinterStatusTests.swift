import SeededNumbers
import Testing

@testable import LedgerSQLite
@testable import Provisioning

@Suite("The status of a label printer (ZPL II Programming Guide, ~HS)")
struct PrinterStatusTests {
  private static let first = "030,0,0,0812,003,0,0,0,000,0,0,0"
  private static let second = "000,0,0,0,0,2,4,0,00000000,1,000"

  /// The three strings as a printer sends them.
  private static func answer(_ first: String, _ second: String) -> [UInt8] {
    [first, second, "1234,0"].flatMap { [0x02] + Array($0.utf8) + [0x03, 0x0D, 0x0A] }
  }

  /// `text` with this field (from 0) set.
  private static func with(_ field: Int, of text: String) -> String {
    var fields = text.split(separator: ",").map(String.init)
    fields[field] = "1"
    return fields.joined(separator: ",")
  }

  @Test("is read, whatever stands around its three strings")
  func ready() throws {
    let bytes = Self.answer(Self.first, Self.second)
    let status = try PrinterStatus(parsing: bytes)
    #expect(status.obstacle == nil)
    #expect(status.formatsWaiting == 3)
    #expect(try PrinterStatus(parsing: [0x0D, 0x41, 0x03] + bytes + bytes) == status)
  }

  @Test(
    "says what keeps the printer from printing",
    arguments: [
      (1, .paperOut), (2, .paused), (5, .bufferFull), (6, .diagnosing), (7, .partialFormat),
      (9, .settingsLost), (10, nil), (11, .tooHot),
    ] as [(Int, PrinterObstacle?)])
  func firstString(_ field: Int, obstacle: PrinterObstacle?) throws {
    let bytes = Self.answer(Self.with(field, of: Self.first), Self.second)
    #expect(try PrinterStatus(parsing: bytes).obstacle == obstacle)
  }

  @Test("speaks of the head first, and of a ribbon only where one is used")
  func secondString() throws {
    let open = Self.answer(Self.with(1, of: Self.first), Self.with(2, of: Self.second))
    #expect(try PrinterStatus(parsing: open).obstacle == .headOpen)
    let out = Self.with(3, of: Self.second)
    #expect(try PrinterStatus(parsing: Self.answer(Self.first, out)).obstacle == nil)
    let used = Self.answer(Self.first, Self.with(4, of: out))
    #expect(try PrinterStatus(parsing: used).obstacle == .ribbonOut)
  }

  @Test("is refused when it is cut short anywhere, or has other fields")
  func refused() {
    let bytes = Self.answer(Self.first, Self.second)
    for count in 0..<(bytes.count - 2) {
      #expect(!PrinterStatus.isWhole(Array(bytes.prefix(count))))
      #expect(throws: PrinterStatusError.isShort) {
        try PrinterStatus(parsing: Array(bytes.prefix(count)))
      }
    }
    for other in ["", "030,0,0", "030,2,0,0812,000,0,0,0,000,0,0,0", "030,0,0,1,x,0,0,0,0,0,0,0"] {
      #expect(throws: PrinterStatusError.hasOtherFields) {
        try PrinterStatus(parsing: Self.answer(other, Self.second))
      }
    }
  }

  @Test("of any bytes is read or refused, and never both")
  func arbitrary() {
    var generator = SeededGenerator(seed: 7)
    let whole = Self.answer(Self.first, Self.second)
    for _ in 0..<20_000 {
      var bytes = whole
      for _ in 0...Int.random(in: 0...6, using: &generator) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: bytes[place] = .random(in: 0...255, using: &generator)
        case 1: bytes.remove(at: place)
        default:
          bytes.insert([0x02, 0x03, 0x2C, 0x31].randomElement(using: &generator)!, at: place)
        }
      }
      let status = try? PrinterStatus(parsing: bytes)
      #expect(status == nil || PrinterStatus.isWhole(bytes))
    }
  }

  @Test(
    "belongs to an address",
    arguments: [
      ("zpl:tcp://printer.local", "zpl:tcp://printer.local:9100"),
      ("ZPL:TCP://10.0.0.7:6101/", "zpl:tcp://10.0.0.7:6101"),
      ("zpl:tcp://[fe80::1]", "zpl:tcp://[fe80::1]:9100"), ("zpl:tcp://", nil),
      ("zpl:tcp://a:0", nil), ("zpl:tcp://a:70000", nil), ("zpl:tcp://a:+1", nil),
      ("zpl:tcp://a b", nil), ("zpl:usb://1", nil), ("zpl:/dev/usb/lp0", "zpl:/dev/usb/lp0"),
      ("ZPL:/tmp/a b", "zpl:/tmp/a b"), ("zpl:dev/usb/lp0", nil), ("zpl:", nil),
      ("zpl:tcp://u@h", nil), ("zpl:tcp://[::1", nil),
    ] as [(String, String?)])
  func address(_ text: String, canonical: String?) {
    #expect((try? PrinterAddress(parsing: text))?.description == canonical)
    #expect(PrinterAddress.isMeant(by: text))
  }

  @Test("has words of its own for each obstacle")
  func words() {
    let all: [PrinterObstacle] = [
      .headOpen, .paperOut, .ribbonOut, .tooHot, .settingsLost, .diagnosing, .paused, .bufferFull,
      .partialFormat, .occupied, .silent, .otherAnswer, .unreachable(reason: "x"), .busy,
    ]
    #expect(Set(all.map(\.cause)).count == all.count)
    #expect(Set(all.map(\.what)).count == all.count)
  }
}
