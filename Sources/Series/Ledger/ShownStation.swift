/// What a station shows to its operator, as a store keeps it for whoever looks from elsewhere.
///
/// It is the present and no event: what a station shows next takes its place.
package struct ShownStation: Hashable, Sendable, Codable {
  /// The station's.
  package var name: String
  /// Stable: `place`, `writing`, `lost`, … (Docs/Formats.md).
  package var word: String
  /// Where the tag goes: `good`, `again`, `bin` or `aside`; nil: nowhere, or that is not known.
  package var bin: String?
  /// What to do, and why.
  package var text: String?
  /// Of the tag that lies there.
  package var job: Int?
  package var uid: [UInt8]?
  /// When the word began to be so, by the bench's clock. Milliseconds since 1970; before the year
  /// 10000.
  package var since: Int64
  /// Counts the stations of its line from 0, in the order in which its terminal shows them.
  package var position: Int

  package init(
    name: String, word: String, bin: String? = nil, text: String? = nil, job: Int? = nil,
    uid: [UInt8]? = nil, since: Int64, position: Int = 0
  ) {
    (self.name, self.word, self.bin, self.text) = (name, word, bin, text)
    (self.job, self.uid, self.since) = (job, uid, since.asStoredTime)
    self.position = position
  }
}
