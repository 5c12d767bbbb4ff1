import JobLists

/// A job that is kept for one tag and one exact message, on the disk before the tag is written.
package struct Reservation: Hashable, Sendable {
  package let job: PlannedJob
  package let tag: PresentedTag
  /// What the tag is to hold.
  package let message: [UInt8]
  /// SHA-256 of `message`.
  package let digest: [UInt8]
  /// The event that made it: once another event follows, this reservation is void.
  package let token: Int64

  package init(
    job: PlannedJob, tag: PresentedTag, message: [UInt8], digest: [UInt8], token: Int64
  ) {
    (self.job, self.tag, self.message) = (job, tag, message)
    (self.digest, self.token) = (digest, token)
  }

  /// The tag's UID; a tag without one gets no reservation.
  var uid: [UInt8] { tag.uid?.bytes ?? [] }
}

/// What became of a wish for a job.
package enum ReservationOutcome: Sendable {
  case reserved(Reservation)
  /// No job is waiting.
  case nothingLeft
  /// Jobs are waiting, for other types of tag.
  case nothingFits
  /// The tag gets no job now, for this reason; nothing is reserved that was not before.
  case left(TagTrouble)
  /// Somebody works on this very tag.
  case inUse(ReservedTag)
  /// The tag holds a job already, and rewriting was not asked for.
  case written(WrittenTag)

  package var isReserved: Bool { if case .reserved = self { true } else { false } }
}

/// Why no message can be made of a job for a tag.
package enum JobRefusal: Error, Hashable, Sendable {
  /// The job itself is wrong, whatever the tag: it is marked failed, and the next is tried.
  case defective(String)
  /// Another tag could take it: the job goes on waiting.
  case unsuitedTag(String)
}
