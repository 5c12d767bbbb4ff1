import TagProgramming

/// A failure in sentences: what happened, what the tag holds, what to do.
extension JobFailure {
  /// The text says what happened and where: full sentences.
  public var what: String { cause.sentence }

  /// The text says what the tag holds now; nil where no tag was reached.
  public var tagHolds: String? { holds?.sentence }

  /// The text says what to do next, in general words; nil where nothing can be said.
  public var next: String? { next { _ in nil } }

  /// What to do next; `asking` says how to ask for something, as by an option of a command line.
  package func next(_ asking: (Request) -> String?) -> String? { remedy?.sentence(asking) }

  /// The status bytes that the chip or the tag answered with; nil where there are none.
  package var status: String? {
    switch cause {
    case .reader(let error): error.status
    case .step(let step): step.trouble.readerError?.status
    default: nil
    }
  }

  /// All of it in one line.
  package func message(_ asking: (Request) -> String?) -> String {
    ([what, tagHolds.map { "On the tag: \($0)" }, next(asking).map { "Next: \($0)" }] as [String?])
      .compactMap { $0 }.joined(separator: " ")
  }
}

extension TagDescription.Finding {
  /// What is odd, and what can be done about it; `asking` as above.
  package func sentence(_ asking: (Request) -> String?) -> String {
    guard let remedy = remedy?.sentence(asking) else { return text }
    return "\(text) \(capitalized(remedy))"
  }
}

/// What a remedy asks of whoever shows it: how does a person say this?
package enum Request: Hashable, Sendable, CaseIterable {
  /// The person does once more what was done.
  case same
  /// Keys of a MIFARE Classic.
  case giveKey
  case givePassword
  /// The password that the tag has is taken away.
  case removePassword
  /// How many wrong passwords in a row the tag is to bear.
  case sayLimit
  /// What is on the tag may be lost.
  case overwrite
  /// What is not done without the operator's word.
  case force
  /// The remedy leaves out the operator's word, and what needs it is not done.
  case leaveOutForce
  /// A MIFARE application directory of version 1.
  case firstDirectory
  /// More sectors of a MIFARE Classic than are formatted.
  case moreSectors
  case format
  /// The NDEF application of a DESFire, and a message in it.
  case formatWithMessage
  case writeBlocks
  case writePages
  case writeMessage
  case writeAndLock
  case lock
  /// A key B of one's own in the trailers.
  case ownKeyB
  /// A key of one's own for the NDEF application of a DESFire.
  case applicationKey
  case giveProofKeys
  /// The keys that the tag has.
  case giveHeldKeys
  /// LRP in place of AES.
  case allowLRP
  /// A tamper loop that is watched.
  case watchLoop
  case showTag
  /// The type that all tags are of.
  case sayType
  case keepMessage
  /// Commands to the tag as it knows them.
  case sendTagCommands
  case compareWithTrace
  /// 6Cxx is followed.
  case followLength
}

/// `text` with a capital letter at its head.
func capitalized(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }
