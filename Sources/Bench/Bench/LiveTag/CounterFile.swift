import TagMemory

/// Counts how often a tag that this program plays was read. The file stands beside the one with the
/// tag's keys, whatever links lead there, so that no reading is shown twice under one key.
///
/// Other processes may play the same tag, or others of the file: one lock for all of them stands
/// between reading the file and replacing it.
package final class CounterFile {
  package let path: String
  /// The tag that is played.
  package let uid: UID
  /// The file holds this number of the tag, or a higher one.
  private var last: Int

  /// Chooses the tag, and sees to it that the file has a line of it: `given`, else the file's first
  /// tag, else one that is made up.
  ///
  /// Fails with `badInput` for keys that are no regular file and for a file that is damaged,
  /// `cannotCreate` where numbers cannot be kept, and `refused` where the tag has none left.
  package init(besideKeys keys: String, tag given: UID?) throws(BenchError) {
    let path = try Self.path(besideKeys: keys)
    (uid, last) = try Files.alone(at: path) { () throws(BenchError) in
      var counters = try LiveCounters(readingFrom: path) ?? LiveCounters()
      let uid = given ?? counters.lines.first?.uid ?? Self.madeUpTag()
      let number = counters.number(of: uid)
      if let number {
        try Self.requireRest(number, of: uid)
      } else {
        counters.lines.append((uid, 0))
      }
      // A file that cannot be written must fail now, not while a telephone waits.
      try counters.save(to: path)
      return (uid, number ?? 0)
    }
    self.path = path
  }

  /// The path of the file with the counters. Fails with `badInput` for keys that are no regular
  /// file of one name: whoever comes by another name would find other counters.
  package static func path(besideKeys keys: String) throws(BenchError) -> String {
    guard let place = Files.regularFile(at: keys) else {
      throw BenchError(
        .badInput,
        "\(keys) is no regular file, and the tag's counter is kept beside the file with its keys.")
    }
    guard Files.nameCount(of: place) == 1 else {
      throw BenchError(
        .badInput,
        "\(keys) has several names (hard links), and the tag's counter is kept beside one of them. Make copies in place of the other names, or remove them."
      )
    }
    return place + ".live-counters"
  }

  /// Fails with `usage` where `output`, a file that the program is to write, is the one with the
  /// keys or with the counters.
  package static func requireApart(
    _ option: String, _ output: String?, fromKeys keys: String
  ) throws(BenchError) {
    // The function that reads the keys reports a missing file.
    guard Files.exists(keys) else { return }
    let counters = try path(besideKeys: keys)
    guard let output else { return }
    for file in [keys, counters, LiveCounters.draft(of: counters)]
    where Files.areSame(output, file) || Files.standardized(output) == Files.standardized(file) {
      throw BenchError(
        .usage, "\(option) names a file with the tag's keys or counters: \(output).")
    }
  }

  /// A UID of 7 bytes that no tag is known to have.
  private static func madeUpTag() -> UID {
    UID([0x04] + (0..<6).map { _ in UInt8.random(in: .min ... .max) })
  }

  /// Takes the tag's next number, which is on the disk when this returns; nobody else takes one
  /// meanwhile.
  ///
  /// Fails as `init` does, and with `cannotCreate` where the file has been taken away or put back
  /// to lower numbers.
  package func next() throws(BenchError) -> Int {
    last = try Files.alone(at: path) { () throws(BenchError) in
      guard var counters = try LiveCounters(readingFrom: path),
        let number = counters.number(of: uid), number >= last
      else {
        throw BenchError(
          .cannotCreate,
          "\(path) was removed, or replaced by an older one, while the tag was played. The tag has shown reading \(last); a lower one would be a replay. Put the file back, or give --uid with another UID."
        )
      }
      try Self.requireRest(number, of: uid)
      counters.set(number + 1, of: uid)
      try counters.save(to: path)
      return number + 1
    }
    return last
  }

  private static func requireRest(_ number: Int, of uid: UID) throws(BenchError) {
    guard number < SUNReading.lastCounter else {
      throw BenchError(
        .refused,
        "Tag \(uid) was read \(SUNReading.lastCounter) times, and has no further number. Give --uid with another."
      )
    }
  }
}
