import PN532
import Readers

extension BoardQuestions {
  /// The page of CFG0, by the size in the capability container (NTAG213/215/216, 8.5.7).
  static let configurationPages = [39: 0x29, 127: 0x83, 219: 0xE3, 221: 0xE3]

  /// The configuration of a blank NTAG that nobody has protected, and how it is put back.
  struct Delivered {
    /// The page of CFG0.
    let first: Int
    private let mode: [UInt8]
    private let access: [UInt8]

    /// Reads it and proves the password of delivery, as only a tag that opens with that can be
    /// opened again. Nil where it is not as delivered; `evidence` says so then.
    init?(_ tag: BlankType2, _ evidence: inout Evidence) throws(ReaderError) {
      guard let first = configurationPages[tag.pages.upperBound] else {
        evidence.obstacle = "the tag is no NTAG213, 215 or 216"
        return nil
      }
      self.first = first
      try tag.bench.reset(patience: .communicationDefault)
      try tag.bench.look()
      guard let configuration = try tag.bench.exchange("memory", [0x30, UInt8(first)]).data,
        configuration.count == 16, configuration[3] == 0xFF, configuration[4] == 0
      else {
        evidence.obstacle = "the tag's configuration is not as delivered; nothing was written"
        return nil
      }
      (mode, access) = (Array(configuration[0..<4]), Array(configuration[4..<8]))
      let password: [UInt8] = [0x1B, 0xFF, 0xFF, 0xFF, 0xFF]
      guard try tag.bench.through("password", password).data?.count == 2 else {
        evidence.obstacle = "the tag's password is not that of delivery; nothing was written"
        return nil
      }
    }

    /// Writes PROT = 1 and AUTH0 = 2; whether the tag has acknowledged both.
    func protect(_ tag: BlankType2) throws(ReaderError) -> Bool {
      guard try tag.write("write", first + 1, [0x80] + access.dropFirst()) else { return false }
      return try tag.write("write", first, Array(mode[0..<3]) + [0x02])
    }

    /// Takes the protection away again; a full sentence where that fails.
    func openAgain(_ bench: BringUpBench) -> String? {
      for _ in 1...3 {
        do throws(ReaderError) {
          try bench.send("restore", .rfField(on: false))
          bench.wait(.milliseconds(6))
          try bench.look("restore")
          try bench.through("restore", [0x1B, 0xFF, 0xFF, 0xFF, 0xFF])
          try bench.exchange("restore", [0xA2, UInt8(first)] + mode)
          try bench.exchange("restore", [0xA2, UInt8(first + 1)] + access)
          let now = try bench.exchange("restore", [0x30, UInt8(first)]).data
          if now.map({ Array($0.prefix(8)) }) == mode + access { return nil }
        } catch {}
      }
      return
        "The tag is still protected by the password of delivery: nfcprog unprotect --password FFFFFFFF opens it."
    }
  }
}
