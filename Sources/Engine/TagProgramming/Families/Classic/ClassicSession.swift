import Readers
import TagMemory

/// A MIFARE Classic on a reader, and the sector of it that is open.
final class ClassicSession: TagSession {
  /// The sector that is open, and with what.
  private(set) var open: (sector: Sector, candidate: KeyCandidate)?
  /// The sector that a look at the tag counts as open, and with what: a block of it that was not
  /// seen yet opens it.
  private var wanted: (sector: Sector, candidate: KeyCandidate)?
  /// What was seen before the first write.
  private var seen = ClassicSightings()
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

  /// How often each sector has refused a key.
  private var refusals: [Sector: Int] = [:]

  /// How often `sector` has refused a key, whichever.
  func refusals(in sector: Sector) -> Int { refusals[sector] ?? 0 }

  /// What opened sectors in which such a search has found something.
  var torn: [Sector: KeyCandidate] = [:]

  /// What was seen, as long as it counts; nothing once the run has written.
  private var known: ClassicSightings {
    guard sent.all.isEmpty else { return ClassicSightings() }
    seen.forget(after: reader.silenceCount)
    return seen
  }

  override func selectAgain() throws(ReaderError) {
    (open, wanted) = (nil, nil)
    try super.selectAgain()
  }

  /// Returns whether `sector` opens with `candidate`: what was seen already, or refused twice, is
  /// not asked.
  func opens(_ sector: Sector, with candidate: KeyCandidate) throws(ReaderError) -> Bool {
    if known.opens(sector, with: candidate) {
      wanted = (sector, candidate)
      return true
    }
    guard !known.refuses(sector, candidate) else {
      wanted = nil
      return false
    }
    return try authenticate(sector, candidate)
  }

  /// Opens `sector`; free when it is open with that key. False when the tag refuses the key.
  func authenticate(_ sector: Sector, _ candidate: KeyCandidate) throws(ReaderError) -> Bool {
    wanted = (sector, candidate)
    if !reader.needsReselect, let open, open == (sector, candidate) { return true }
    try wake()
    (open, wanted) = (nil, nil)
    do {
      try reader.authenticate(
        block: Int(sector.trailer.index), key: candidate.key, type: candidate.type)
    } catch .exchangeFailed(.authentication) {
      seen.forget(after: reader.silenceCount)
      seen.noteRefusal(of: candidate, by: sector)
      refusals[sector, default: 0] += 1
      return false
    }
    (open, wanted) = ((sector, candidate), (sector, candidate))
    seen.forget(after: reader.silenceCount)
    seen.note(candidate, opens: sector)
    return true
  }

  /// A block of the open sector; nil when the tag, asked twice, refuses to show it, after which
  /// nothing is open.
  func readBlock(_ block: Block) throws(ReaderError) -> [UInt8]? {
    guard let wanted else { return nil }
    if let bytes = known.bytes(of: block, with: wanted.candidate) { return bytes }
    for _ in 1...2 {
      guard try authenticate(wanted.sector, wanted.candidate) else { continue }
      do {
        let bytes = try reader.readBlock(Int(block.index))
        seen.note(bytes, of: block, with: wanted.candidate)
        return bytes
      } catch .exchangeFailed {
        // Gone or unwilling: a tag that can be selected again is there, and it refused or its
        // answer was lost.
        try selectAgain()
      }
    }
    return nil
  }

  /// The open sector's keys have changed under it.
  func forgetSector() { (open, wanted) = (nil, nil) }
}
