import Bytes
import Testing

@testable import TagMemory

@Suite("What is wrong with the NDEF data of a Type 2 tag")
struct Type2FaultTests {
  @Test(
    "says what a foreign page 3 can become",
    arguments: [
      ("00001200", true, 137), ("E1000000", true, 137), ("E1001200", true, 137),
      ("F110FFEE", false, 0), ("12345678", false, 0), ("E1201200", false, 0),
    ])
  func foreignContainer(_ hex: String, _ curable: Bool, _ capacity: Int) throws {
    let container = try CapabilityContainer(parsing: Hex.bytes(hex))
    let ndef = try Type2NDEFTests.ndef(.ntag213, container: hex, area: "0300FE")
    #expect(ndef.status == .notSupported)
    #expect(ndef.message == nil)
    #expect(ndef.faults == [curable ? .containerForeign(container) : .containerSpoilt(container)])
    #expect((ndef.containerToWrite != nil) == curable)
    #expect(ndef.capacity == capacity)
  }

  @Test("stays within the chip when the container claims more")
  func areaBeyondMemory() throws {
    let ndef = try Type2NDEFTests.ndef(.ultralight, container: "E1101200", area: "0300FE")
    #expect(ndef.faults == [.areaBeyondMemory(claimed: 144, available: 48)])
    #expect(ndef.capacity == 46)
    #expect(ndef.status == .readWrite)
    // NTAG215 has 504 bytes of user memory: claiming all of them is fine.
    #expect(try Type2NDEFTests.ndef(.ntag215, container: "E1103F00", area: "0300FE").faults.isEmpty)
    let empty = try Type2NDEFTests.ndef(.ntag213, container: "E1100000", area: "0300FE")
    #expect(empty.faults == [.areaEmpty])
    #expect(empty.status == .notSupported)
    #expect(empty.capacity == 0)
  }

  @Test(
    "takes its status from the container's access byte",
    arguments: [
      ("E1101200", .readWrite, []), ("E110120F", .readOnly, []),
      ("E1101208", .readOnly, [.writeAccess(.proprietary(8))]),
      ("E1101203", .readOnly, [.writeAccess(.reserved(3))]),
      ("E1101280", .notSupported, [.readAccess(.proprietary(8))]),
      ("E11012FF", .notSupported, [.readAccess(.never)]),
    ] as [(String, NDEFStatus, [Type2Fault])])
  func access(_ container: String, _ status: NDEFStatus, _ faults: [Type2Fault]) throws {
    let ndef = try Type2NDEFTests.ndef(.ntag213, container: container, area: "0300FE")
    #expect(ndef.status == status)
    #expect(ndef.faults == faults)
  }

  @Test("is read-only once the password protects a page of the area, for who has none")
  func password() throws {
    var memory = try Type2NDEFTests.memory(.ntag213, area: "0103A00C340300FE")
    memory.store([0x04, 0, 0, 0x27], from: 41)
    let ndef = try #require(Type2NDEF(.ntag213, memory: memory))
    #expect(ndef.status == .readOnly)
    #expect(
      ndef.faults.map(\.description) == [
        "the capability container allows everyone to write, but the password is needed to write page 39 and later pages"
      ])
    let given = try #require(Type2NDEF(.ntag213, memory: memory, authenticated: true))
    #expect(given.status == .readOnly)
    #expect(given.faults.isEmpty)
    memory.store([0x04, 0, 0, 0x28], from: 41)
    #expect(Type2NDEF(.ntag213, memory: memory)?.status == .readWrite)
  }

  @Test("is read-only where lock bits contradict the container")
  func locked() throws {
    let ndef = try Type2NDEFTests.ndef(.ntag213, area: "0300FE", lock: "3000")
    #expect(ndef.status == .readOnly)
    #expect(ndef.faults == [.lockedPages([4, 5])])
    #expect(
      ndef.faults[0].description
        == "the capability container allows everyone to write, but pages 4 to 5 are locked")
    var memory = try Type2NDEFTests.memory(.ntag213, area: "0300FE")
    memory.store([0x01, 0x08, 0, 0xBD], from: 40)
    #expect(
      Type2NDEF(.ntag213, memory: memory)?.faults.map(\.description) == [
        "the capability container allows everyone to write, but 4 pages (16 … 39) are locked"
      ])
    // The container's own lock bit forbids nothing within the area.
    #expect(try Type2NDEFTests.ndef(.ntag213, area: "0300FE", lock: "0800").status == .readWrite)
    let said = try Type2NDEFTests.ndef(
      .ntag213, container: "E110120F", area: "0300FE", lock: "FFFF")
    #expect(said.status == .readOnly)
    #expect(said.faults.isEmpty)
  }

  @Test(
    "names what is wrong with the TLVs",
    arguments: [
      (
        "03FE",
        "byte 0 of the data area: the NDEF Message TLV announces 254 bytes, the area has 142 left"
      ),
      ("00", "the data area holds no NDEF Message TLV"),
      ("FE", "the data area holds no NDEF Message TLV"),
      (
        "0305D101020001FE",
        "the length of the message is set, but the bytes behind it are not an NDEF message; an interrupted write leaves a tag like this"
      ),
      (
        "03140000",
        "the length of the message is set, but the bytes behind it are not an NDEF message; an interrupted write leaves a tag like this"
      ),
      (
        "03FFFFFF",
        "byte 0 of the data area: the NDEF Message TLV has the length field FF FF FF, which is reserved"
      ),
    ])
  func tlvFaults(_ area: String, _ sentence: String) throws {
    let ndef = try Type2NDEFTests.ndef(.ntag213, area: area)
    #expect(ndef.faults.map(\.description).contains(sentence), "\(ndef.faults)")
    #expect((ndef.status == .readWrite) == (ndef.message != nil))
    // Whatever stands there now, a new message can still be placed.
    #expect(ndef.capacity ?? 0 >= 137)
  }

  @Test("notes that no Terminator closes a message that leaves room for one")
  func terminator() throws {
    let ndef = try Type2NDEFTests.ndef(.ntag210, area: "0314" + Type2NDEFTests.url)
    #expect(
      ndef.faults.contains {
        if case .tlv(let fault) = $0 { fault.kind == .terminatorMissing } else { false }
      })
    #expect(ndef.status == .readWrite)
  }
}
