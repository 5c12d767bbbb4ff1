import PN532Simulator
import Testing

@testable import TagProgramming

/// Single places at which a job once said what was not so, or could not be finished: a sample of
/// all places seldom meets them.
@Suite("Places that were struck before")
struct StruckPlacesTests {
  /// One bit, or for tears a seed, at a byte of the memory.
  struct Struck: CustomTestStringConvertible, Sendable {
    let job: String
    let fault: CellFault
    let address: Int
    let bit: Int
    var testDescription: String { "\(job), \(fault.rawValue) at \(address).\(bit)" }
  }

  private static let places = [
    // The directory's checksum and its info byte, of which one bit is wrong: either may be.
    Struck(job: "format on mini", fault: .stuckBit, address: 17, bit: 7),
    Struck(job: "first URL and lock on mini", fault: .stuckBit, address: 17, bit: 7),
    // A sector's general purpose byte, which such a job does not write again.
    Struck(job: "URL, a directory alone on mini", fault: .stuckBit, address: 121, bit: 5),
    // Torn bytes that lead to an older message.
    Struck(job: "short after long on classic1k", fault: .scrambled, address: 64, bit: 4),
    // AUTH0 asks for a password that nobody has set; a mirror that is on by one bit.
    Struck(job: "mirror after a URL on ntag216", fault: .stuckBit, address: 911, bit: 5),
    Struck(job: "password off on ntag210", fault: .stuckBit, address: 66, bit: 2),
    // A bit in the page that freezes the mirror.
    Struck(job: "mirror, locked and frozen on ntag210", fault: .stuckBit, address: 68, bit: 4),
    Struck(
      job: "mirror, locked and frozen on ntag213", fault: .scrambled, address: 168, bit: 4),
    // A right to a counter, in the page that says what a key protects.
    Struck(job: "key on ultralight-aes", fault: .stuckBit, address: 168, bit: 2),
    // Reserved bytes that name rights on another chip.
    Struck(job: "first URL and lock on felica-lite", fault: .scrambled, address: 336, bit: 4),
  ]

  @Test("are told truly", arguments: places.filter { Exhaustive.includes($0.job) })
  func cells(_ struck: Struck) throws {
    let item = try #require(FaultCase.all.first { $0.testDescription == struck.job })
    let rehearsal = try Rehearsal(item)
    let places = struck.fault.places(of: rehearsal, isExhaustive: true, number: 0).filter {
      rehearsal.writes[$0.write].lowerBound + $0.byte == struck.address && $0.bit == struck.bit
    }
    try #require(!places.isEmpty)
    for place in places { try CellTrial(item, rehearsal, struck.fault, at: place).judge() }
  }
}
