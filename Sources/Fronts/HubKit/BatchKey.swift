/// A batch's id as the database compares it: by its bytes. To Swift, “ä” in one character and in
/// two are the same text; a pool can have a batch of each.
struct BatchKey: Hashable, Sendable {
  private let bytes: [UInt8]

  init(_ id: String) { bytes = Array(id.utf8) }
}
