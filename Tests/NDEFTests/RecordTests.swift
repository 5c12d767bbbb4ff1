import Testing

@testable import NDEF

@Suite("Records, NDEF 1.0, 3.2")
struct RecordTests {
  @Test("knows every type name format by its number")
  func formats() {
    #expect(TypeNameFormat.allCases.map(\.rawValue) == Array(0...7))
    for flags in UInt8.min...UInt8.max {
      #expect(TypeNameFormat(flags: flags).rawValue == flags & 7)
    }
    #expect(
      TypeNameFormat.allCases.filter(\.hasType) == [.wellKnown, .media, .absoluteURI, .external])
  }

  @Test("refuses fields that the format forbids")
  func rules() {
    func fault(_ make: () throws(NDEFError) -> Record) -> NDEFError.Fault? {
      do throws(NDEFError) { _ = try make() } catch { return error.fault }
      return nil
    }
    #expect(
      fault { () throws(NDEFError) in try Record(.empty, payload: [1]) } == .emptyRecordNotEmpty)
    #expect(fault { () throws(NDEFError) in try Record(.empty, id: [1]) } == .emptyRecordNotEmpty)
    #expect(fault { () throws(NDEFError) in try Record(.empty, id: []) } == nil)
    #expect(
      fault { () throws(NDEFError) in try Record(.unknown, type: [0x55]) } == .unknownRecordHasType)
    #expect(
      fault { () throws(NDEFError) in try Record(.unchanged) } == .unwritableFormat(.unchanged))
    #expect(fault { () throws(NDEFError) in try Record(.reserved) } == .unwritableFormat(.reserved))
    #expect(fault { () throws(NDEFError) in try Record(.external) } == .missingType(.external))
    #expect(
      fault { () throws(NDEFError) in try Record(.media, type: [0x61, 0x7F]) }
        == .unprintableType(byte: 0x7F))
  }

  @Test("takes types and IDs of 255 bytes and refuses 256")
  func lengths() throws {
    let most = [UInt8](repeating: 0x61, count: 255)
    let record = try Record(.media, type: most, id: most)
    #expect(try Message(parsing: Message(record).serialize()).records == [record])
    #expect(throws: NDEFError(.tooLong(.type, count: 256, limit: 255), in: .argument, at: 255)) {
      try Record(.media, type: most + most.prefix(1))
    }
    #expect(throws: NDEFError(.tooLong(.id, count: 256, limit: 255), in: .argument, at: 255)) {
      try Record(.unknown, id: most + most.prefix(1))
    }
  }
}
