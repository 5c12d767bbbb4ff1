import NDEF
import TagMemory
import TagProgramming
import UniversalLinks

/// What is copied: a message as it stands on a tag or in a file.
package struct CloneSource {
  package let message: Message
  /// The message, byte for byte.
  package let bytes: [UInt8]
  /// The tag that it stands on, which is never written; nil for a file, which may go back onto its
  /// tag.
  package let uid: UID?
  let isForumTag: Bool
  /// What an iPhone does with the source.
  package let reading: BackgroundReading
  /// Says whether the source shows its own UID or counter in place of a part of the message.
  private(set) var isMirrored = false

  /// What of itself each copy shows in the message, in place of the source's own.
  private(set) var mirror: MessageMirror?

  /// Where the code of an NTAG 424 DNA's message begins.
  private var codeInput = SDMTemplate.CodeInput.empty

  /// Takes the message of a tag that was read. Fails with `badInput` where it holds none that can
  /// be copied.
  ///
  /// `copiesProofs`: of an NTAG 424 DNA the message with its places, which each copy fills in
  /// itself.
  package init(_ report: TagReport, copiesProofs: Bool = false) throws(BenchError) {
    guard let held = report.content.held else { throw Self.noMessage(report.content) }
    let filling = held.filling
    let copiesStored = (copiesProofs || filling?.mirror != nil) && filling?.isSettled == true
    if copiesProofs, filling != nil, !copiesStored {
      throw BenchError(
        .badInput,
        "The tag encrypts a part of its message, so it cannot be copied. Write the tags with write-url or provision."
      )
    }
    try self.init(
      copiesStored ? held.stored : held.shown ?? held.stored, named: "the tag's message",
      uid: report.target?.uid,
      isForumTag: report.product?.isForumTag ?? true)
    isMirrored = filling != nil && !copiesStored
    codeInput = filling?.codeInput ?? .empty
    mirror = filling?.mirror
  }

  /// Why there is nothing to copy.
  private static func noMessage(_ content: Content) -> BenchError {
    switch content {
    case .unreadable(let obstacle): BenchError(.refused, "\(obstacle.sentence)")
    case .unformatted, .blank, .foreign:
      BenchError(.badInput, "The tag is not formatted for NDEF, so there is no message to copy.")
    case .lost(let lost):
      BenchError(.badInput, "The message on the tag is damaged: \(lost.reason).")
    case .message, .empty, .notLookedAt:
      BenchError(.badInput, "The tag holds no message, so there is nothing to copy.")
    }
  }

  /// Takes a message by its bytes. Fails with `badInput` where they break the rules of NDEF.
  /// `isMirrored`: they are what a tag showed that fills in a part of them.
  package init(
    _ bytes: [UInt8], named name: String, uid: UID? = nil, isForumTag: Bool = true,
    isMirrored: Bool = false, mirror: MessageMirror? = nil
  ) throws(BenchError) {
    self.mirror = mirror
    do throws(NDEFError) {
      message = try Message(parsing: bytes)
    } catch {
      throw BenchError(.badInput, sentence("\(name) is not an NDEF message: \(error)"))
    }
    self.bytes = bytes
    self.uid = uid
    self.isForumTag = isForumTag
    self.isMirrored = isMirrored
    reading = BackgroundReading(
      parsing: bytes,
      carrier: BackgroundReading.Carrier(
        isForumTag: isForumTag, wasChunked: RawMessage(parsing: bytes).isChunked))
  }

  /// The message as a copy shows it that is `uid`; nil: any.
  func shown(by uid: UID?, provesItself: Bool) -> VaryingMessage {
    VaryingMessage(bytes, mirror: mirror, provesItself: provesItself, uid: uid)
  }

  /// How to write it, byte for byte.
  package func job(_ options: WriteOptions) -> Job {
    var options = options
    options.encoding = bytes
    options.mustReadAsWritten = true
    options.mirror = mirror
    options.personalisation?.codeInput = codeInput
    return .write(message, options)
  }

  /// Why copies of it would wake no app, as far as the message tells; nil when nothing speaks
  /// against it.
  package var refusal: String? {
    if isMirrored {
      return """
        The tag shows its own UID or counter in place of a part of the message, so every copy would \
        carry this tag's.
        """
    }
    let errors = reading.findings.filter { $0.severity == .error }
    guard reading.handler != .webLink || !errors.isEmpty else { return nil }
    let reasons = (errors.isEmpty ? reading.findings : errors).prefix(3).map(\.message)
    return (["This tag does not wake an app."] + reasons).joined(separator: " ")
  }
}
