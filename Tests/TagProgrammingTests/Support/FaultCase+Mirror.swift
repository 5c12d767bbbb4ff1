import NDEF
import TagMemory

@testable import TagProgramming

/// Jobs that make a tag show its UID and its counter in its message, and that end it.
extension FaultCase {
  /// A link with a place for `content`.
  static func mirrored(_ content: ASCIIMirror.Content, behind path: String = "t?u=") -> Job {
    let message = Message(
      try! URIRecord("https://example.com/\(path)\(content.placeholder)&x").record)
    var options = WriteOptions()
    options.mirror = MessageMirror(placeholderOf: content, in: message.serialize())
    return .write(message, options)
  }

  /// The same, made read-only with it, the mirror, too, where `freezes`.
  private static func locked(_ content: ASCIIMirror.Content, freezes: Bool) -> Job {
    guard case .write(let message, var options) = mirrored(content) else { return short }
    (options.lock, options.freezesMirror) = (true, freezes)
    return .write(message, options)
  }

  static let mirrors = [
    FaultCase(
      name: "mirror, locked and frozen", product: "ntag213",
      job: locked(.uidAndCounter, freezes: true)),
    FaultCase(
      name: "mirror, locked and frozen", product: "ntag210", job: locked(.uid, freezes: true)),
    FaultCase(name: "first mirror", product: "ntag213", job: mirrored(.uidAndCounter)),
    FaultCase(name: "first mirror", product: "ntag210", job: mirrored(.uid, behind: "")),
    FaultCase(
      name: "mirror after a URL", product: "ntag216", prepare: after(other),
      job: mirrored(.counter)),
    FaultCase(
      name: "URL after a mirror", product: "ntag213", prepare: after(mirrored(.uidAndCounter)),
      job: other),
    FaultCase(
      name: "URL after a mirror", product: "ntag212", prepare: after(mirrored(.uid)), job: short),
    FaultCase(
      name: "another mirror", product: "ntag215", prepare: after(mirrored(.uid)),
      job: mirrored(.uidAndCounter, behind: "another/path?c=")),
    FaultCase(
      name: "same mirror", product: "ntag213", prepare: after(mirrored(.uid)), job: mirrored(.uid)),
    FaultCase(
      name: "mirror, protected", product: "ntag213",
      prepare: after(short, .protect(Protection(password: [0x11, 0x22, 0x33, 0x44]))),
      credentials: Credentials(password: [0x11, 0x22, 0x33, 0x44]), job: mirrored(.uid)),
  ]
}
