import Bench
import Readers
import TagMemory

/// What a session does on its own thread: it owns the reader from the first look to the end.
final class SessionWorker {
  let session: PhoneSession
  private var opened: ReaderSession?
  private var deadline: ContinuousClock.Instant?
  /// Of a session without any time: its one look was made.
  private var hasLooked = false
  private var phase = Phase.polling
  /// The tags that were delivered last.
  private var delivered: [PhoneTag] = []
  /// The session has selected this tag last; the chip may have lost it since.
  private var selected: PhoneTag?

  private enum Phase {
    /// Looks for tags.
    case polling
    /// The app has tags and decides what becomes of them.
    case delivered
    /// Waits for these to be taken away.
    case watching([Target])
  }

  init(_ session: PhoneSession) { self.session = session }

  /// Runs until the session ends.
  func run() {
    let reason = workUntilTheEnd()
    try? opened?.reader.fieldOff()
    try? opened?.close()
    session.remarkOnEnd()
    session.finish(reason)
  }

  private func workUntilTheEnd() -> SessionError {
    // Who changes his mind at once need not wait for a reader.
    if let end = session.wantedEnd { return end }
    session.settings.reader.gate.waitForBackground()
    do throws(BenchError) {
      opened = try session.settings.open()
    } catch {
      return SessionError(error.isReaderBusy ? .systemIsBusy : .unsupportedFeature, error.reason)
    }
    guard let opened else { return SessionError(.terminatedUnexpectedly) }
    prepare(opened.reader)
    deadline = isOneLook ? nil : session.settings.timeLimit.map { .now + $0 }
    if session.wantedEnd == nil { session.tell(.active) }
    while true {
      if let end = session.wantedEnd { return end }
      if isLate {
        session.invalidate(SessionError(.sessionTimeout))
      } else if session.settings.isAbandoned() {
        session.invalidate(SessionError(.terminatedUnexpectedly))
      } else if let post = session.nextPost() {
        post(self)
      } else {
        do throws(ReaderError) { try goOn(opened.reader) } catch { fail(error) }
      }
    }
  }

  /// Sets the reader up for what the session looks for.
  private func prepare(_ reader: TagReader) {
    switch session.sought.kind {
    case .tag(let polling):
      reader.technologies = []
      if !polling.isDisjoint(with: [.iso14443, .pace]) {
        reader.technologies.formUnion([.typeA, .typeB])
      }
      if polling.contains(.iso18092) { reader.technologies.insert(.feliCa) }
    case .ndef, .unsupported: reader.technologies = Set(Technology.allCases)
    }
    reader.beside = .everything
  }

  /// No time at all is one look for a tag; what an app does with one that it finds has no end then.
  private var isOneLook: Bool { session.settings.timeLimit == .zero }

  private var isLate: Bool {
    guard isOneLook else { return deadline.map { .now >= $0 } ?? false }
    if case .delivered = phase { return false }
    return hasLooked
  }

  private func goOn(_ reader: TagReader) throws(ReaderError) {
    switch phase {
    // Without a limit of time somebody has to look whether anybody still listens.
    case .delivered: session.wait(until: deadline ?? .now + .seconds(1))
    case .polling: try look(reader)
    case .watching(let targets): try watch(targets, reader)
    }
  }

  // MARK: Polling

  /// How long one round of looking or watching lasts at most: then the session's time is looked at.
  private static let round = Duration.milliseconds(250)

  private func look(_ reader: TagReader) throws(ReaderError) {
    let found: [Target]
    hasLooked = true
    do throws(ReaderError) {
      found = try reader.waitForTags(
        timeout: isOneLook ? .zero : Self.round, shouldStop: { [session] in session.hasWork })
    } catch .noTag {
      return
    } catch .interrupted {
      return
    }
    if found.count > 1 { session.settings.remark(.severalTags) }
    var discovery = Discovery(session: session, reader: reader, generation: session.generation)
    var tags: [PhoneTag] = []
    for target in found {
      do throws(ReaderError) {
        if found.count > 1 { try reader.reselect(target) }
        if let tag = try discovery.tag(of: target) { tags.append(tag) }
      } catch  where error.isOfTag {
        session.settings.remark(.lostWhileFound)
      }
    }
    guard !tags.isEmpty else {
      phase = .watching(found)
      return
    }
    (delivered, selected) = (tags, tags.count == 1 ? tags[0] : nil)
    phase = .delivered
    session.tell(.detected(tags))
  }

  /// Until the tags have gone, or others lie there.
  private func watch(_ targets: [Target], _ reader: TagReader) throws(ReaderError) {
    do throws(ReaderError) {
      let isThere: Bool
      if targets.count == 1 {
        isThere = try reader.waitForRemoval(
          of: targets[0], timeout: Self.round, shouldStop: { [session] in session.hasWork })
      } else {
        isThere = try reader.waitForChange(
          from: targets.map(\.uid), timeout: Self.round,
          shouldStop: { [session] in session.hasWork })
      }
      if !isThere { phase = .polling }
    } catch .interrupted {
      return
    } catch  where error.isOfTag {
      phase = .polling
    }
  }

  /// Looks for tags again, as the app wishes.
  func restart() {
    poll()
    hasLooked = false
  }

  private func poll() {
    (delivered, selected) = ([], nil)
    phase = .polling
    guard let reader = opened?.reader else { return }
    prepare(reader)
    do throws(ReaderError) { try reader.fieldOff() } catch { fail(error) }
  }

  private func fail(_ error: ReaderError) {
    if error.isOfTag { return poll() }
    session.invalidate(SessionError(error, isGone: false))
  }

  // MARK: A tag

  /// Selects `tag`; nil where that succeeds.
  func connect(to tag: PhoneTag) -> SessionError? {
    if let fault = fault(of: tag, mustBeConnected: false) { return fault }
    guard session.connectedTag !== tag else { return nil }
    do throws(SessionError) {
      try work(on: tag) { work throws(SessionError) in
        try work.connect(isSelected: selected === tag)
      }
      selected = tag
      session.setConnected(tag)
      return nil
    } catch {
      session.setConnected(nil)
      session.noteFailedConnect()
      return error
    }
  }

  func perform<Value>(
    on tag: PhoneTag, _ body: (TagWork) throws(SessionError) -> Value
  ) -> Result<Value, SessionError> {
    if let fault = fault(of: tag, mustBeConnected: true) { return .failure(fault) }
    do throws(SessionError) {
      return .success(try work(on: tag, body))
    } catch {
      return .failure(error)
    }
  }

  private func work<Value>(
    on tag: PhoneTag, _ body: (TagWork) throws(SessionError) -> Value
  ) throws(SessionError) -> Value {
    guard let opened else { throw SessionError(.sessionInvalidated) }
    let work = TagWork(
      tag, reader: opened.reader, settings: session.settings,
      shouldStop: { [session, deadline] in
        session.wantedEnd != nil || deadline.map { .now >= $0 } ?? false
      })
    do throws(SessionError) {
      return try body(work)
    } catch {
      if error.endsSession { session.invalidate(error) }
      // Who asked for the end has it, whatever it did to this.
      throw session.wantedEnd != nil && error.code == .tagConnectionLost && !tag.hasGone
        ? SessionError(.sessionInvalidated) : error
    }
  }

  private func fault(of tag: PhoneTag, mustBeConnected: Bool) -> SessionError? {
    if session.wantedEnd != nil { return SessionError(.sessionInvalidated) }
    guard tag.generation == session.generation, delivered.contains(where: { $0 === tag }) else {
      return SessionError(
        .tagNotConnected, "The tag was found before polling was restarted: use one found since.")
    }
    guard mustBeConnected else { return nil }
    guard session.connectedTag === tag, !tag.hasGone else { return SessionError(.tagNotConnected) }
    return nil
  }

  /// Reads all tags that were delivered, tells of the messages, and waits for the tags to go.
  func readMessages() {
    var messages: [[UInt8]] = []
    for tag in delivered where session.wantedEnd == nil {
      guard connect(to: tag) == nil else { continue }
      let result = perform(on: tag) { work throws(SessionError) in try work.message() }
      if case .success(let bytes) = result { messages.append(bytes) }
    }
    phase = delivered.isEmpty ? .polling : .watching(delivered.map(\.target))
    guard !messages.isEmpty, session.wantedEnd == nil else { return }
    session.tell(.messages(messages))
    if session.settings.endsAfterFirstRead {
      session.invalidate(SessionError(.firstNDEFTagRead))
    }
  }
}

extension ReaderError {
  /// It says something of the tag, not of the reader.
  var isOfTag: Bool {
    switch self {
    case .noTag, .severalTags, .tagLost, .exchangeFailed, .feliCaStatus, .wrongAnswerLength: true
    case .cannotOpen, .busy, .boardSilent, .boardLost, .boardGarbled, .boardRefused, .agentLost,
      .interrupted, .notRecorded, .notCarried:
      false
    }
  }
}
