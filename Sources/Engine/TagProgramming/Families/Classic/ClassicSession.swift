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

  /// A run tries this many torn keys at most. Each takes up to 37 ms at 115200 baud, so all take
  /// five seconds.
  private static let mostTornKeys = 130

  /// The first counts keys that this pass tried in sectors whose trailers the run has sent, the
  /// second keys that the run tried in other sectors.
  private var (triedInOwn, triedInOthers) = (0, 0)

  /// The run has searched these sectors to the end for these keys.
  private var searched: [Sector: Set<KeyType>] = [:]

  /// Returns whether torn keys may be looked for in `sector`: in one whose trailer the run has sent
  /// in each pass, in others once.
  func searches(_ sector: Sector, _ type: KeyType) -> Bool {
    sent.blocks[sector.trailer] != nil || searched[sector]?.contains(type) != true
  }

  /// Counts a torn key that is tried in `sector`.
  func countTornKey(of sector: Sector) {
    if sent.blocks[sector.trailer] != nil { triedInOwn += 1 } else { triedInOthers += 1 }
  }

  /// Notes that a search has ended, with a key or without one.
  func noteSearch(_ sector: Sector, _ type: KeyType) {
    searched[sector, default: []].insert(type)
  }

  /// How many more torn keys may be tried in `sector`.
  func tornKeysLeft(for sector: Sector) -> Int {
    Self.mostTornKeys - (sent.blocks[sector.trailer] != nil ? triedInOwn : triedInOthers)
  }

  /// The keys that have opened each sector in this run.
  private(set) var proved: [Sector: Set<KeyCandidate>] = [:]

  /// What opened sectors in which such a search has found something.
  var torn: [Sector: [KeyType: KeyCandidate]] = [:]

  /// This pass has asked each sector so often for a key, and the sector has refused it so often.
  private var (asked, refusals): (Counts, Counts) = ([:], [:])

  private typealias Counts = [Sector: [KeyCandidate: Int]]

  override func selectAgain() throws(ReaderError) {
    open = nil
    try super.selectAgain()
  }

  override func takeNothingForGranted() {
    (asked, refusals, triedInOwn) = ([:], [:], 0)
  }

  /// Opens `sector` with a key that may be its own; a key that it has refused `times` in this pass
  /// is not asked for again.
  func opens(_ sector: Sector, with candidate: KeyCandidate, asking times: Int = 2)
    throws(ReaderError) -> Bool
  {
    let count = refusals[sector]?[candidate] ?? 0
    guard count < times else { return false }
    if try authenticate(sector, candidate) { return true }
    refusals[sector, default: [:]][candidate] = count + 1
    return false
  }

  /// Returns how often this pass has asked `sector` for a key that is not one of `keys`.
  func authentications(in sector: Sector, besides keys: [Key]) -> Int {
    asked[sector, default: [:]].filter { !keys.contains($0.key.key) }.values.reduce(0, +)
  }

  /// Opens `sector`; free when it is open with that key. False when the tag refuses the key.
  func authenticate(_ sector: Sector, _ candidate: KeyCandidate) throws(ReaderError) -> Bool {
    if !reader.needsReselect, let open, open == (sector, candidate) { return true }
    try wake()
    open = nil
    asked[sector, default: [:]][candidate, default: 0] += 1
    do {
      try reader.authenticate(
        block: Int(sector.trailer.index), key: candidate.key, type: candidate.type)
    } catch .exchangeFailed(.authentication) {
      return false
    }
    open = (sector, candidate)
    proved[sector, default: []].insert(candidate)
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

  /// The keys of `sector`, which is open, have changed under it.
  func forgetKeys(of sector: Sector) {
    open = nil
    (refusals[sector], searched[sector]) = (nil, nil)
  }
}
