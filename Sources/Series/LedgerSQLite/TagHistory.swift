import Foundation
import JobLists
import TagMemory

/// What the journal says of a tag, by its UID.
package enum TagHistory: Hashable, Sendable {
  /// It holds a job, read back.
  case written(WrittenTag)
  /// A job was reserved for it, and it may hold the job's message.
  case reserved(ReservedTag)
  /// It is not to be used.
  case scrap(ScrapTag)
}

/// A job and the tag that holds it.
public struct WrittenTag: Hashable, Sendable {
  package let job: PlannedJob
  /// The tag.
  public let uid: UID
  /// Its type, as `sim:` calls it; nil where it is not known.
  public let tagType: String?
  /// SHA-256 of the message.
  package let digest: [UInt8]
  /// Length of the message in bytes.
  public let length: Int
  /// The message's first link.
  public let uri: String?
  /// Is true if the tag was made read-only.
  public let isLocked: Bool
  /// Is true if the tag got a password.
  public let isProtected: Bool
  /// When it was finished.
  package let when: Date
  package let station: String
  package let reader: String
  package let operatorName: String
  /// Is true of a tag from the field that holds again what it held before its change.
  package var isPutBack = false

  package init(
    job: PlannedJob, uid: UID, tagType: String?, digest: [UInt8], length: Int, uri: String?,
    isLocked: Bool, isProtected: Bool, when: Date, station: String, reader: String,
    operatorName: String
  ) {
    (self.job, self.uid, self.tagType) = (job, uid, tagType)
    (self.digest, self.length, self.uri) = (digest, length, uri)
    (self.isLocked, self.isProtected, self.when) = (isLocked, isProtected, when)
    (self.station, self.reader, self.operatorName) = (station, reader, operatorName)
  }
}

/// A job and the tag that it is kept for.
public struct ReservedTag: Hashable, Sendable {
  /// Who works on the tag.
  package enum Holder: Hashable, Sendable {
    /// Nobody: the tag went away and is waited for.
    case nobody
    /// A process that is no more, or that ended without finishing.
    case gone
    /// A process that runs.
    case working(station: String, process: Int)
    /// A process whose life cannot be told from here: of another machine or container.
    case unknown(host: String)

    /// Is true if another may take the tag over.
    package var isAbsent: Bool { self == .nobody || self == .gone }
  }

  package let job: PlannedJob
  /// The tag.
  public let uid: UID
  package let tagType: String?
  /// SHA-256 of the message that was to be written.
  package let digest: [UInt8]
  package let since: Date
  package let station: String
  package let reader: String
  package let operatorName: String
  /// What went wrong, where a tag is waited for.
  package let trouble: TagTrouble?
  package let holder: Holder

  package init(
    job: PlannedJob, uid: UID, tagType: String?, digest: [UInt8], since: Date, station: String,
    reader: String, operatorName: String, trouble: TagTrouble?, holder: Holder
  ) {
    (self.job, self.uid, self.tagType) = (job, uid, tagType)
    (self.digest, self.since) = (digest, since)
    (self.station, self.reader, self.operatorName) = (station, reader, operatorName)
    (self.trouble, self.holder) = (trouble, holder)
  }
}

/// A tag that is not to be used, and why.
package struct ScrapTag: Hashable, Sendable {
  package let uid: UID
  package let when: Date
  package let trouble: TagTrouble
  /// The job that it had until then, and may hold; nil where it had none.
  package let job: Int?

  package init(uid: UID, when: Date, trouble: TagTrouble, job: Int? = nil) {
    (self.uid, self.when, self.trouble, self.job) = (uid, when, trouble, job)
  }
}

/// How many jobs stand where.
public struct Tally: Hashable, Sendable {
  /// Jobs that no tag has yet.
  public var pending = 0
  /// Jobs that a tag may hold, not finished.
  public var reserved = 0
  /// Jobs that a tag holds, read back.
  public var written = 0
  /// Jobs that no message could be made of.
  public var failed = 0
  /// Tags that are not to be used.
  public var scrap = 0

  /// All jobs.
  public var jobs: Int { pending + reserved + written + failed }

  package init() {}
}
