import NDEF
import Readers
import TagMemory

/// What kept a job from ending as wanted. What only one family of tags knows is in an enum of that
/// family.
package enum Cause: Hashable, Sendable {
  /// No tag was presented in the time that was allowed.
  case noTagInTime
  /// An exchange with the reader or the tag failed, while the tag was looked for, surveyed or
  /// selected again.
  case reader(ReaderError)
  /// A step of the plan was not carried out as planned.
  case step(StepFailure)
  /// The tag was identified, and no job here works on tags of its kind.
  case unsupportedProduct(Product)
  /// The tag was not identified; `remark` is what identifying it found.
  case unidentified(remark: String)
  /// The job is for another kind of tag; `tag` names this one.
  case wrongKind(wanted: Demand, tag: String)
  /// The tag is not of the type that the operator says the tags are of.
  case otherProduct(found: Product, expected: Product)
  /// The operator wants genuine tags alone, and the maker's signature says this; nil: the product
  /// has none that is known here.
  case notGenuine(Product, OriginalitySignature.Verdict?)
  /// The message is longer than what the tag takes; both in bytes. `canGrow`: more of its sectors
  /// can be formatted.
  case messageTooLong(byteCount: Int, capacity: Int, tag: String, canGrow: Bool = false)
  /// The tag says that nobody may write its message.
  case readOnly
  /// The tag holds a message, which is not to be replaced.
  case holdsMessage
  /// The tag does not show what stands where its message belongs.
  case unreadable(ReadObstacle)
  /// The tag would be locked without a message on it that readers understand.
  case nothingToLock(Missing)
  /// The message is not to be written on this very tag; `reason`: whole sentences.
  case unwanted(reason: String)
  /// Whoever decides about tags wants this one left alone.
  case leftAlone
  /// The row of a job list that the tag's job comes from is not what it was.
  case jobChanged(line: Int)
  /// The dump does not know all of its message, and would make another one with the tag's bytes.
  case partOfMessage
  /// Readers would not find the message of a dump on the tag, as this does not lead to it.
  case dumpUnseen(Frame)
  /// Something that cannot be: a mistake in this program.
  case mistake(Mistake)
  case classic(ClassicCause)
  case type2(Type2Cause)
  case feliCa(FeliCaCause)
  case type4(Type4Cause)
  case raw(RawCause)

  /// By what readers find a message.
  package enum Frame: Hashable, Sendable, CaseIterable {
    case capabilityContainer, directory, attributes
  }

  /// What a job needs of a tag.
  package enum Demand: Hashable, Sendable {
    /// A MIFARE Classic.
    case classic
    /// A FeliCa Lite or Lite-S.
    case feliCaLite
    /// A DESFire EV1 or later, whose NDEF application is created.
    case desFire
    /// Pages, which Type 2 tags have.
    case pages
    /// Blocks of 16 bytes, which a MIFARE Classic has.
    case blocks
    /// A password.
    case password
  }

  /// What cannot be.
  package enum Mistake: Hashable, Sendable, CaseIterable {
    /// The survey has not read what the job needs.
    case notSurveyed
    case notIdentified
    /// The tag was given to a family that it does not belong to.
    case otherFamily
    /// The message that a job was reserved for cannot be decoded.
    case undecodableJob
  }

  /// What a tag lacks that is to be locked.
  package enum Missing: Hashable, Sendable {
    /// It is no NDEF tag.
    case format
    /// Readers, which have the public keys alone, do not come to its message.
    case readers(ReadObstacle)
    /// It holds no message that can be read.
    case message
    /// The record with this number, from 1, breaks the rules of its type, and how.
    case wellFormedRecord(Int, NDEFError)
  }
}

extension Cause {
  /// The class that the exit code tells.
  package var kind: JobFailure.Kind {
    switch self {
    case .noTagInTime: .noTag
    case .reader(let error): error.kind
    case .step(let failure): failure.kind
    case .wrongKind, .messageTooLong, .jobChanged, .partOfMessage, .unwanted: .badInput
    case .mistake: .internalError
    case .unsupportedProduct, .unidentified, .otherProduct, .notGenuine, .readOnly, .unreadable,
      .holdsMessage, .nothingToLock, .leftAlone, .dumpUnseen:
      .refused
    case .classic(let cause): cause.kind
    case .type2(let cause): cause.kind
    case .feliCa(let cause): cause.kind
    case .type4(let cause): cause.kind
    case .raw(let cause): cause.kind
    }
  }

  /// What the reader itself failed by; nil where it did not.
  package var readerFailure: ReaderError? {
    let error: ReaderError? =
      switch self {
      case .reader(let error): error
      case .step(let failure): failure.trouble.readerError
      default: nil
      }
    return error.map { [.readerUnavailable, .configuration].contains($0.kind) } == true
      ? error : nil
  }
}

extension ReaderError {
  /// The class that the exit code tells.
  var kind: JobFailure.Kind {
    switch self {
    case .cannotOpen, .busy, .boardSilent, .boardLost, .boardGarbled, .boardRefused,
      .agentLost:
      .readerUnavailable
    case .interrupted: .interrupted
    case .noTag, .severalTags, .tagLost, .exchangeFailed, .wrongAnswerLength: .tagTrouble
    case .feliCaStatus: .refused
    case .notRecorded: .configuration
    case .notCarried: .badInput
    }
  }
}
