/// Fingerprints of 96 bits and the lines that they were seen on first, in a table of open
/// addressing.
struct SeenTable {
  private var keys: [UInt64]
  private var rests: [UInt32]
  /// 0: the place is free.
  private var lines: [UInt32]
  private(set) var count = 0

  init() {
    keys = Array(repeating: 0, count: 1024)
    (rests, lines) = (Array(repeating: 0, count: 1024), Array(repeating: 0, count: 1024))
  }

  /// The line that the fingerprint was seen on first; where that was never, it is entered with
  /// `line` (from 1), unless the table is `closed`.
  mutating func line(of key: UInt64, _ rest: UInt32, on line: UInt32, closed: Bool)
    -> UInt32?
  {
    var place = self.place(of: key, rest)
    if lines[place] != 0 { return lines[place] }
    guard !closed else { return nil }
    if count * 5 >= keys.count * 3 {
      grow()
      place = self.place(of: key, rest)
    }
    (keys[place], rests[place], lines[place]) = (key, rest, line)
    count += 1
    return nil
  }

  /// Where it stands, or would. Fingerprints are as good as random, so a part of one is the place
  /// to begin at.
  private func place(of key: UInt64, _ rest: UInt32) -> Int {
    let mask = keys.count - 1
    var place = Int(truncatingIfNeeded: key) & mask
    while lines[place] != 0, keys[place] != key || rests[place] != rest {
      place = (place + 1) & mask
    }
    return place
  }

  private mutating func grow() {
    let (oldKeys, oldRests, oldLines) = (keys, rests, lines)
    keys = Array(repeating: 0, count: oldKeys.count * 2)
    rests = Array(repeating: 0, count: keys.count)
    lines = Array(repeating: 0, count: keys.count)
    for index in oldLines.indices where oldLines[index] != 0 {
      let place = place(of: oldKeys[index], oldRests[index])
      (keys[place], rests[place], lines[place]) = (
        oldKeys[index], oldRests[index], oldLines[index]
      )
    }
  }
}
