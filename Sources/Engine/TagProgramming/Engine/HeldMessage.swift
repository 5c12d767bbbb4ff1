import NDEF
import TagMemory

/// A message of at least one byte on a tag, as readers are shown it and as writers know it again.
public struct HeldMessage: Hashable, Sendable {
  /// The bytes that a reader finds, with all that the tag fills in; nil where it fills in a part,
  /// and was not read since the message was written.
  public let shown: [UInt8]?
  /// The bytes by which the message is known again: with stand-ins in the places that the tag fills
  /// in (`SDMTemplate`), or its UID and a counter of zeros (`MessageMirror`), as far as they tell.
  package let stored: [UInt8]
  /// What of it the tag fills in as it is read; nil where it fills nothing in.
  package let filling: Filling?
  /// Its records; nil where they break the rules.
  public let message: Message?
  /// Why they do.
  package let fault: NDEFError?

  /// What a tag fills in of its message.
  package struct Filling: Hashable, Sendable {
    /// The bytes of the message that it covers.
    package let range: Range<Int>
    /// Is true if `stored` has stand-ins there: it does not where a part is encrypted.
    package let isSettled: Bool
    /// The place that an ASCII mirror fills in, where all of that lies in the message.
    package var mirror: MessageMirror?
    /// Where the code of an NTAG 424 DNA begins.
    package var codeInput = SDMTemplate.CodeInput.empty
    /// What an NTAG 424 DNA has filled in to prove itself, as it was read; nil where it has no
    /// code.
    package var proof: SUNParts?

    init(
      _ range: Range<Int>, isSettled: Bool = false, mirror: MessageMirror? = nil,
      codeInput: SDMTemplate.CodeInput = .empty, proof: SUNParts? = nil
    ) {
      (self.range, self.isSettled) = (range, isSettled)
      (self.mirror, self.codeInput, self.proof) = (mirror, codeInput, proof)
    }
  }

  /// A message that was read, and in which the tag fills nothing in.
  init(_ bytes: [UInt8]) { self.init(shown: bytes, stored: bytes, nil) }

  /// A message that was read, and of which the tag has filled a part in; `stored` is nil where that
  /// cannot be told.
  init(
    reading shown: [UInt8], stored: [UInt8]?, _ range: Range<Int>, mirror: MessageMirror? = nil,
    codeInput: SDMTemplate.CodeInput = .empty, proof: SUNParts? = nil
  ) {
    self.init(
      shown: shown, stored: stored ?? shown,
      Filling(
        range, isSettled: stored != nil, mirror: mirror, codeInput: codeInput, proof: proof))
  }

  /// A message that was written; `filling`: what of it the tag fills in.
  init(writing stored: [UInt8], _ filling: Filling?) {
    self.init(shown: filling == nil ? stored : nil, stored: stored, filling)
  }

  private init(shown: [UInt8]?, stored: [UInt8], _ filling: Filling?) {
    (self.shown, self.stored, self.filling) = (shown, stored, filling)
    do throws(NDEFError) {
      (message, fault) = (try Message(parsing: shown ?? stored), nil)
    } catch {
      (message, fault) = (nil, error)
    }
  }

  /// This is the message once it was written, and not read since.
  var written: HeldMessage { HeldMessage(writing: stored, filling) }
}
