import Bytes
import TagMemory

/// Which tags a job may go on: one by its UID, those of a type, both or neither.
package struct WantedTag: Hashable, Sendable {
  /// The one tag; nil: any.
  package let uid: UID?
  /// The type, as `sim:` calls it; nil: any.
  package let type: String?

  package init(uid: UID?, type: String?) { (self.uid, self.type) = (uid, type) }

  /// What begins the text of a job that is for one tag; no type's name begins so.
  package static let prefix = "uid:"

  /// As journals and databases have it: `ntag213`, `uid:04a1b2c3d4e5f6`,
  /// `uid:04a1b2c3d4e5f6 ntag213`; nil for any tag.
  package var stored: String? {
    guard let uid else { return type }
    return Self.text(uid) + (type.map { " \($0)" } ?? "")
  }

  /// What `stored` says. A text that no list makes is a type that no tag has.
  package init(stored: String?) {
    let parts = stored?.split(separator: " ", maxSplits: 1) ?? []
    guard let first = parts.first, first.hasPrefix(Self.prefix),
      let bytes = try? Hex.bytes(first.dropFirst(Self.prefix.utf8.count)), !bytes.isEmpty
    else {
      (uid, type) = (nil, stored)
      return
    }
    (uid, type) = (UID(bytes), parts.dropFirst().first.map(String.init))
  }

  /// How the text of each job begins that is for this tag.
  package static func text(_ uid: UID) -> String { prefix + uid.hex }
}
