import Readers
import TagMemory

/// A MIFARE Classic on a reader, and the sector of it that is open.
final class ClassicSession: TagSession {
  /// The sector that is open, and with what.
  private(set) var open: (sector: Sector, candidate: KeyCandidate)?
  /// What the last pass before the first write had learnt: see `ClassicBasis.decided`.
  private var decision: ClassicDecision?

  /// What this run had learnt when it first wrote; nil before.
  var decided: ClassicDecision? { sent.all.isEmpty ? nil : decision }

  /// `basis` with what was decided before the first write; taken note of, while nothing is written.
  func deciding(_ basis: ClassicBasis) -> ClassicBasis {
    var basis = basis
    basis.decided = decided
    if sent.all.isEmpty { decision = ClassicDecision(state: basis.state, way: basis.way) }
    return basis
  }

  /// The bytes behind the message that the run keeps; nil until the run has decided it.
  var behind: BehindMessage?

  /// The closed sectors that torn keys were looked for in although nothing shows that this job had
  /// come to them.
  private var searched: Set<Sector> = []

  /// Returns whether such a search is the first one in `sector`.
  func searches(_ sector: Sector) -> Bool { searched.insert(sector).inserted }

  /// What opened sectors in which such a search has found something.
  var torn: [Sector: KeyCandidate] = [:]

  override func selectAgain() throws(ReaderError) {
    open = nil
    try super.selectAgain()
  }

  /// Opens `sector`; free when it is open with that key. False when the tag refuses the key.
  func authenticate(_ sector: Sector, _ candidate: KeyCandidate) throws(ReaderError) -> Bool {
    if !reader.needsReselect, let open, open == (sector, candidate) { return true }
    try wake()
    open = nil
    do {
      try reader.authenticate(
        block: Int(sector.trailer.index), key: candidate.key, type: candidate.type)
    } catch .exchangeFailed(.authentication) {
      return false
    }
    open = (sector, candidate)
    return true
  }

  /// A block of the open sector; nil when the tag, asked twice, refuses to show it, after which
  /// nothing is open.
  func readBlock(_ block: Block) throws(ReaderError) -> [UInt8]? {
    let opened = open
    for attempt in 1...2 {
      do {
        return try reader.readBlock(Int(block.index))
      } catch .exchangeFailed {
        // Gone or unwilling: a tag that can be selected again is there, and it refused or its
        // answer was lost.
        try selectAgain()
      }
      guard attempt == 1, let opened, try authenticate(opened.sector, opened.candidate) else {
        return nil
      }
    }
    return nil
  }

  /// The open sector's keys have changed under it.
  func forgetSector() { open = nil }
}
