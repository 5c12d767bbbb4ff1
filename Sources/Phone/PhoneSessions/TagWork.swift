import CardCrypto
import NDEF
import Readers
import TagMemory
import TagProgramming

/// What can be done with the connected tag; used on the session's thread alone.
package struct TagWork {
  let tag: PhoneTag
  let reader: TagReader
  let settings: PhoneSession.Settings
  let shouldStop: () -> Bool

  init(
    _ tag: PhoneTag, reader: TagReader, settings: PhoneSession.Settings,
    shouldStop: @escaping () -> Bool
  ) {
    (self.tag, self.reader, self.settings, self.shouldStop) = (tag, reader, settings, shouldStop)
  }

  /// Selects the tag, and the application that it was found by.
  func connect(isSelected: Bool) throws(SessionError) {
    try attempt { () throws(ReaderError) in
      if isSelected {
        guard try reader.isPresent(tag.target) else {
          throw .tagLost(expected: tag.target.uid, found: nil)
        }
      } else {
        try reader.reselect(tag.target)
      }
    }
    guard case .iso7816(let id) = tag.kind, !id.isEmpty else { return }
    let answer = try attempt { () throws(ReaderError) in
      try reader.transmit(.select(id), following: false)
    }
    guard answer.status == StatusWord(0x90, 0x00) else { throw SessionError(.tagResponseError) }
  }

  /// Does `body`; where it fails, finds out whether the tag is still there.
  func attempt<Value>(_ body: () throws(ReaderError) -> Value) throws(SessionError) -> Value {
    do throws(ReaderError) {
      // A tag that has refused something answers nothing before it is selected again.
      if reader.needsReselect { try reader.reselect(tag.target) }
      return try body()
    } catch {
      throw failure(error)
    }
  }

  private func failure(_ error: ReaderError) -> SessionError {
    guard error.isOfTag else { return SessionError(error, isGone: false) }
    let isGone: Bool
    switch error {
    case .tagLost, .noTag: isGone = true
    // What a card was doing is over once it is selected again.
    default:
      isGone = (try? reader.reselect(tag.target)) == nil || tag.speaksISODEP && error.isSilence
    }
    if isGone { tag.noteLoss() }
    return SessionError(error, isGone: isGone)
  }
}

extension ReaderError {
  /// The tag did not answer.
  fileprivate var isSilence: Bool {
    switch self {
    case .exchangeFailed(.timeout), .exchangeFailed(.released), .exchangeFailed(.cardGone): true
    default: false
    }
  }
}

// MARK: Messages

extension TagWork {
  private var programmer: Programmer {
    var options = RunOptions()
    options.timeout = .zero
    return Programmer(reader: reader, options: options, shouldStop: shouldStop)
  }

  /// Returns whether the tag can hold a message, and the longest one in bytes.
  package func status() throws(SessionError) -> (status: NDEFStatus, capacity: Int) {
    guard case .tag(let surveyed) = try look(), surveyed.found.status != .notSupported else {
      return (.notSupported, 0)
    }
    let found = surveyed.found
    return (found.status, found.capacity ?? 0)
  }

  /// The bytes of the message as the tag shows them. Fails with `zeroLengthMessage` where it has
  /// none.
  package func message() throws(SessionError) -> [UInt8] {
    let content: Content
    switch try look() {
    case .tag(let surveyed): content = surveyed.found.shownContent
    case .refusing(let failure): throw SessionError(.tagResponseError, failure.what)
    case .unknown: content = .notLookedAt
    }
    switch content {
    case .message(let held):
      guard held.message != nil, let shown = held.shown else {
        throw SessionError(.tagResponseError, "The tag does not hold a valid message.")
      }
      return shown
    case .empty: throw SessionError(.zeroLengthMessage)
    case .unreadable(let obstacle): throw SessionError(.tagResponseError, obstacle.sentence)
    case .lost(let lost):
      throw SessionError(
        .tagResponseError, "The message on the tag is damaged: \(lost.reason).")
    case .unformatted, .blank, .foreign:
      throw SessionError(.tagResponseError, "The tag is not formatted for NDEF.")
    case .notLookedAt:
      throw SessionError(.tagResponseError, "Readers find no message on the tag.")
    }
  }

  /// Writes a message and reads it back; whoever reads the tag meanwhile finds the old message,
  /// none, or the new one.
  package func write(_ bytes: [UInt8]) throws(SessionError) {
    let message: Message
    do throws(NDEFError) {
      message = try Message(parsing: bytes)
    } catch {
      throw SessionError(.invalidParameter, SessionError.sentence("\(error)"))
    }
    remark(on: message)
    guard let surveyed = try survey() else { throw SessionError(.tagNotWritable) }
    if settings.mode == .phone, surveyed.found.status == .notSupported {
      throw SessionError(
        .tagNotWritable,
        "The tag is not formatted for NDEF, and a phone does not format it; .bench mode does.")
    }
    var options = WriteOptions()
    options.encoding = bytes
    try check(surveyed.run(.write(message, options)))
  }

  /// Makes the tag read-only for good.
  package func lock() throws(SessionError) {
    guard let surveyed = try survey(), surveyed.found.status != .notSupported else {
      throw SessionError(.tagNotWritable, "The tag is not formatted for NDEF.")
    }
    try check(surveyed.run(.lock(force: true)))
  }

  /// What a look at the tag has given.
  private enum Look {
    case tag(SurveyedTag)
    /// It does not show itself.
    case refusing(JobFailure)
    /// Nothing here deals with such a tag.
    case unknown
  }

  /// Nil where nothing here deals with such a tag.
  private func survey() throws(SessionError) -> SurveyedTag? {
    switch try look() {
    case .tag(let surveyed): surveyed
    case .refusing(let failure): throw self.failure(failure)
    case .unknown: nil
    }
  }

  private func look() throws(SessionError) -> Look {
    // What the app has selected on a card, or what the tag has refused, is over.
    if reader.needsReselect { try attempt { () throws(ReaderError) in } }
    do throws(SurveyError) {
      return .tag(try programmer.survey(tag.target))
    } catch {
      guard let failure = error.report.failure else { return .unknown }
      switch failure.cause {
      case .unsupportedProduct, .unidentified: return .unknown
      default: break
      }
      guard failure.kind == .refused else { throw self.failure(failure) }
      return .refusing(failure)
    }
  }

  private func check(_ report: TagReport) throws(SessionError) {
    if let failure = report.failure { throw self.failure(failure) }
  }

  private func failure(_ failure: JobFailure) -> SessionError {
    let error = SessionError(failure)
    if error.code == .tagConnectionLost { tag.noteLoss() }
    return error
  }

  private func remark(on message: Message) {
    for (index, record) in message.records.enumerated()
    where record.typeNameFormat == .wellKnown && record.typeName == "U" {
      if (record.payload.first ?? 0xFF) > 0x23 {
        settings.remark(.noURIPrefix(index: index, byte: record.payload.first))
      }
    }
  }
}
