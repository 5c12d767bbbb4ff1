/// What a message is known by, once a tag is to hold it: all but its bytes.
package struct MessageFacts: Hashable, Sendable {
  /// SHA-256.
  package let digest: [UInt8]
  /// In bytes; 0: not known.
  package let length: Int
  /// The first link in it.
  package let uri: String?
  /// The day that it was made for, where it names one.
  package let day: String?

  package init(digest: [UInt8], length: Int = 0, uri: String? = nil, day: String? = nil) {
    (self.digest, self.length, self.uri, self.day) = (digest, length, uri, day)
  }

  /// These facts, with those of `other` where it is the same message and more is known of it there.
  package func filled(from other: MessageFacts?) -> MessageFacts {
    guard let other, other.digest == digest else { return self }
    return MessageFacts(
      digest: digest, length: length > 0 ? length : other.length, uri: uri ?? other.uri,
      day: day ?? other.day)
  }
}

/// What a finished tag got beside its message.
package struct TagLocks: Hashable, Sendable {
  /// Is true if it was made read-only.
  package let isLocked: Bool
  /// Is true if it got a password.
  package let isProtected: Bool

  package init(isLocked: Bool, isProtected: Bool) {
    (self.isLocked, self.isProtected) = (isLocked, isProtected)
  }
}

/// What happened, with everything that belongs to it. `EventKind` is its name in stores.
package enum Happening: Hashable, Sendable {
  /// The job is kept for the tag, which is to hold this message.
  case reserved(job: Int, tag: [UInt8], MessageFacts)
  /// The tag came back, and the work on it goes on.
  case resumed(job: Int, tag: [UInt8])
  /// The tag was read back and holds the message of this digest.
  case written(job: Int, tag: [UInt8], digest: [UInt8], TagLocks)
  /// The tag went away and may hold the message.
  case held(job: Int, tag: [UInt8])
  /// The tag does not hold the message: the job goes to another. `setsAside`: the tag is not to be
  /// used again.
  case returned(job: Int, tag: [UInt8], setsAside: Bool)
  /// An operator gave the job to other tags: this one is not to be used again.
  case released(job: Int, tag: [UInt8])
  /// No message can be made of the job.
  case refused(job: Int)
  /// The failed job waits again.
  case retried(job: Int)
  /// A tag was left alone; its job, where one is named, stands as it stood.
  case passed(job: Int?, tag: [UInt8]?, setsAside: Bool)
  /// No program of this version writes such a row: somebody else did. It changes nothing.
  case unknown(kind: String, job: Int?, tag: [UInt8]?)
}

extension Happening {
  /// As the columns of a store have it.
  package init(
    kind word: String, job: Int?, tag: [UInt8]?, message: MessageFacts? = nil,
    isLocked: Bool = false, isProtected: Bool = false, setsAside: Bool = false
  ) {
    self =
      switch (EventKind(rawValue: word), job, tag, message) {
      case (.reserved, let job?, let tag?, let message?):
        .reserved(job: job, tag: tag, message)
      case (.resumed, let job?, let tag?, _): .resumed(job: job, tag: tag)
      case (.written, let job?, let tag?, let message?):
        .written(
          job: job, tag: tag, digest: message.digest,
          TagLocks(isLocked: isLocked, isProtected: isProtected))
      case (.held, let job?, let tag?, _): .held(job: job, tag: tag)
      case (.returned, let job?, let tag?, _):
        .returned(job: job, tag: tag, setsAside: setsAside)
      case (.released, let job?, let tag?, _): .released(job: job, tag: tag)
      case (.refused, let job?, _, _): .refused(job: job)
      case (.retried, let job?, _, _): .retried(job: job)
      case (.passed, _, _, _):
        .passed(job: job, tag: tag, setsAside: setsAside && tag != nil)
      default: .unknown(kind: word, job: job, tag: tag)
      }
  }

  /// Nil for what no program of this version writes.
  package var kind: EventKind? {
    switch self {
    case .reserved: .reserved
    case .resumed: .resumed
    case .written: .written
    case .held: .held
    case .returned: .returned
    case .released: .released
    case .refused: .refused
    case .retried: .retried
    case .passed: .passed
    case .unknown: nil
    }
  }

  /// `reserved`, `written`, `held`, … (Docs/Formats.md).
  package var word: String {
    if case .unknown(let word, _, _) = self { word } else { kind?.rawValue ?? "" }
  }

  package var job: Int? {
    switch self {
    case .reserved(let job, _, _), .resumed(let job, _), .written(let job, _, _, _),
      .held(let job, _), .returned(let job, _, _), .released(let job, _), .refused(let job),
      .retried(let job):
      job
    case .passed(let job, _, _), .unknown(_, let job, _): job
    }
  }

  /// The tag's UID.
  package var tag: [UInt8]? {
    switch self {
    case .reserved(_, let tag, _), .resumed(_, let tag), .written(_, let tag, _, _),
      .held(_, let tag), .returned(_, let tag, _), .released(_, let tag):
      tag
    case .passed(_, let tag, _), .unknown(_, _, let tag): tag
    case .refused, .retried: nil
    }
  }

  /// SHA-256 of the message that the tag is to hold, or holds.
  package var digest: [UInt8]? {
    switch self {
    case .reserved(_, _, let message): message.digest
    case .written(_, _, let digest, _): digest
    default: nil
    }
  }

  package var message: MessageFacts? {
    if case .reserved(_, _, let message) = self { message } else { nil }
  }

  package var locks: TagLocks? {
    if case .written(_, _, _, let locks) = self { locks } else { nil }
  }

  /// Is true if the tag is not to be used again.
  package var setsAside: Bool {
    switch self {
    case .returned(_, _, let setsAside), .passed(_, _, let setsAside): setsAside
    case .released: true
    default: false
    }
  }

  /// Is true if it changes where a job stands.
  package var changesJob: Bool {
    switch self {
    case .passed, .unknown: false
    default: true
    }
  }
}
