import PN532

/// The reader as a tag for other readers: it waits to be selected, hears commands and answers them.
extension TagReader {
  /// What a reader that has selected us does.
  package enum Heard: Hashable, Sendable {
    case command([UInt8])
    /// It has let go of us, or has gone; nil: the line to our own chip was disturbed.
    case over(StatusCode?)
  }

  /// Checks whether an outer reader can be served at all. Throws `cannotOpen` with the reason.
  package func requirePlaying() throws(ReaderError) { _ = try player() }

  private func player() throws(ReaderError) -> any TargetLink {
    guard let player = link as? any TargetLink else {
      throw .cannotOpen(
        reader: name, reason: "it answers from a trace, and a trace cannot play a tag")
    }
    if let obstacle = player.targetObstacle { throw .cannotOpen(reader: name, reason: obstacle) }
    return player
  }

  /// Waits without a limit until a reader selects us. `identity`: the last three bytes of the UID.
  ///
  /// Readers can come from `onArmed` on. Throws `interrupted` when the end was asked for.
  package func waitForReader(
    _ identity: [UInt8], onArmed: () -> Void = {}
  ) throws(ReaderError) {
    let player = try player()
    let command = Command.tgInitAsTarget(identity).bytes
    _ = try watched(command) { () throws(ReaderError) in
      try player.becomeTag(identity, onArmed: onArmed)
    }
  }

  /// The next command of that reader. Every status but good means that this contact is over.
  package func hear() throws(ReaderError) -> Heard {
    let player = try player()
    do throws(ReaderError) {
      let bytes = Command.tgGetData.bytes
      let answer = try watched(bytes) { () throws(ReaderError) in
        try player.awaitAnswer(to: bytes, limit: nil)
      }
      guard let status = answer.first else { return .over(nil) }
      return status == 0 ? .command(Array(answer.dropFirst())) : .over(StatusCode(rawValue: status))
    } catch {
      return try .over(Self.disturbed(error))
    }
  }

  /// Answers it; nil where the answer has left, else how the contact is over.
  package func answer(_ bytes: [UInt8]) throws(ReaderError) -> Heard? {
    let player = try player()
    do throws(ReaderError) {
      let command = Command.tgSetData(bytes).bytes
      let answer = try watched(command) { () throws(ReaderError) in
        try player.awaitAnswer(to: command, limit: Self.answerAllowance)
      }
      guard let status = answer.first, status == 0 else {
        return .over(answer.first.map { StatusCode(rawValue: $0) })
      }
      return nil
    } catch {
      return try .over(Self.disturbed(error))
    }
  }

  /// A frame that was lost or damaged between us and our chip ends a contact, and nothing else.
  private static func disturbed(_ error: ReaderError) throws(ReaderError) -> StatusCode? {
    switch error {
    case .boardSilent, .boardGarbled, .boardRefused: return nil
    default: throw error
    }
  }

  /// Returns whether the field of another reader is there (7.2.3).
  package func hearsField() -> Bool {
    let status = try? GeneralStatus(parsing: try perform(.getGeneralStatus, repetition: .never))
    return status?.externalField ?? false
  }

  /// The chip is a reader again; also after an end that was asked for.
  package func stopPlaying() throws(ReaderError) {
    try player().stopPlaying()
    isPrepared = false
    hasAutomaticRATS = true
  }

  /// A telephone that leaves while the answer goes out ends that within this time.
  private static let answerAllowance = Duration.seconds(3)

  /// Tells the trace of an exchange.
  private func watched(
    _ bytes: [UInt8], _ body: () throws(ReaderError) -> [UInt8]
  ) throws(ReaderError) -> [UInt8] {
    let start = clock.now()
    func report(_ outcome: Exchange.Outcome) {
      observer?(
        Exchange(
          start: start, duration: clock.now() - start, command: bytes.map { $0 },
          outcome: outcome))
    }
    do throws(ReaderError) {
      let answer = try body()
      report(.answer(answer.map { $0 }))
      return answer
    } catch {
      report(.failure(error))
      throw error
    }
  }
}
