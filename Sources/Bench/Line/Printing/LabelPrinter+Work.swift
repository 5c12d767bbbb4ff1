import Dispatch
import LedgerSQLite
import Provisioning
import Readers
import SeriesReports

/// The printer's thread: it asks, sends labels, and learns which of them are printed.
extension LabelPrinter {
  /// How long a connection and an answer may take, and the printer take nothing of a label.
  private static let patience = Duration.seconds(3)
  /// Between two questions; and while labels are in the printer's memory.
  private static let pause = Duration.seconds(1)
  private static let shortPause = PrinterMemory<WrittenTag>.settling
  /// Between two tries to get a connection.
  private static let retryPause = Duration.milliseconds(20)
  /// A printer that refused connections for so long may have been switched off meanwhile.
  private static let gap = Duration.seconds(1)
  /// Other benches may wait for the connection. So long do labels go on one, and then nobody has it
  /// for some of their tries: the next label may be ready at once.
  private static let turn = Duration.milliseconds(250)
  private static let turnPause = retryPause * 4

  func work() {
    while !isOver {
      if hasOrder() {
        printSome()
        clock.sleep(Self.turnPause)
        // A new label wakes the thread, but not while the printer is not ready.
        if state.withLock({ $0.obstacle == nil }) { continue }
      } else if untilQuestion <= .zero {
        ask()
      }
      rest()
    }
  }

  private var isOver: Bool { state.withLock { $0.isOver } }

  /// How long it is until the printer is asked again.
  private var untilQuestion: Duration {
    state.withLock { state in
      let pause = state.memory.isEmpty ? Self.pause : Self.shortPause
      return state.lastQuestion + pause - clock.now()
    }
  }

  /// Waits until the printer is to be asked again, a label comes that can be printed, or the run is
  /// over.
  private func rest() {
    while !isOver {
      let left = untilQuestion
      guard left > .zero else { return }
      let slice = min(left, .milliseconds(100)) / .seconds(1)
      if wake.wait(timeout: .now() + slice) == .success,
        state.withLock({ $0.obstacle == nil })
      {
        return
      }
    }
  }

  /// Returns whether a label is to be printed. Takes away those of which the journal says that they
  /// are not, or no longer: of a tag that was written once more, or failed its inspection.
  private func hasOrder() -> Bool {
    while let order = state.withLock({ $0.orders.first }) {
      do throws(JournalError) {
        if try journal.isLabelDue(order.written) { return true }
        state.withLock { _ = $0.owed.remove(order.written.job.number) }
      } catch {
        complain("The label of job \(order.written.job.number): \(error)")
      }
      removeOrder()
    }
    return false
  }

  private func removeOrder() {
    state.withLock { state in
      state.orders.removeFirst()
      state.lastProgress = clock.now()
    }
  }

  /// Asks the printer how it is.
  func ask() {
    do throws(PrinterConnectionError) { _ = try talk() } catch { fail(error) }
  }

  /// Prints what was ordered, as long as the printer is ready.
  private func printSome() {
    do throws(PrinterConnectionError) {
      let connection = try talk()
      let start = clock.now()
      while clock.now() - start < Self.turn, hasOrder(), !isOver {
        guard let order = state.withLock({ $0.obstacle == nil ? $0.orders.first : nil }),
          // An answer that nobody asked for: whose are the next ones?
          !connection.takeUnread()
        else { return }
        try serve(order, connection)
      }
    } catch {
      fail(error)
    }
  }

  /// A connection on which the printer has just said how it is.
  private func talk() throws(PrinterConnectionError) -> PrinterConnection {
    state.withLock { $0.lastQuestion = clock.now() }
    let deadline = clock.now() + Self.patience
    while true {
      do throws(PrinterConnectionError) {
        let connection = try PrinterConnection(to: address, patience: deadline - clock.now())
        guard try asks(connection) else { return connection }
        if mustCancelNow() {
          try connection.send(Array("~JX".utf8), patience: Self.patience)
          take(try connection.status(patience: Self.patience))
        }
        return connection
      } catch {
        guard error.isPassing, clock.now() < deadline, !isOver else { throw error }
        if error == .refused { state.withLock { $0.isAway = true } } else { noteSign() }
        clock.sleep(Self.retryPause)
      }
    }
  }

  /// Asks the printer how it is; false: it does not say. A device that has never answered is used
  /// without: whoever watches it knows.
  private func asks(
    _ connection: borrowing PrinterConnection
  ) throws(PrinterConnectionError) -> Bool {
    var answers = state.withLock { $0.answers } ?? connection.device?.answers
    if answers != false {
      try listen(connection)
      do throws(PrinterConnectionError) {
        take(try connection.status(patience: Self.patience))
        state.withLock { $0.answers = true }
        return true
      } catch {
        guard connection.device != nil, state.withLock({ $0.answers }) == nil,
          error == .silent || error == .ended
        else { throw error }
        answers = false
      }
    }
    if state.withLock({ $0.answers }) == nil {
      complain(
        "The label printer \(address) does not say how it is: a label counts as printed when the printer has taken it."
      )
    }
    // A printer that does not read its label gets no second one.
    try connection.waitUntilTaken(patience: Self.patience)
    let isCut = state.withLock { state in
      defer { (state.answers, state.obstacle, state.mustCancel) = (false, nil, false) }
      return state.mustCancel
    }
    if isCut { try connection.send(Array("~JX\r\n".utf8), patience: Self.patience) }
    return false
  }

  /// Lets late answers to earlier questions pass, which would be taken for those to new ones.
  private func listen(_ connection: borrowing PrinterConnection) throws(PrinterConnectionError) {
    guard state.withLock({ $0.mustListen }) else { return }
    var quietSince = clock.now()
    while clock.now() - quietSince < Self.patience {
      guard !isOver else { throw .silent }
      if connection.takeUnread() { quietSince = clock.now() }
      clock.sleep(Self.retryPause)
    }
    state.withLock { $0.mustListen = false }
  }

  /// Returns whether the printer still waits for the rest of a label of ours that was cut off.
  /// Another bench's label, which comes at this moment, is not cancelled for that.
  private func mustCancelNow() -> Bool {
    state.withLock { state in
      guard state.mustCancel else { return false }
      guard let since = state.partialSince else {
        state.mustCancel = false
        return false
      }
      guard clock.now() - since > Self.pause / 2 else { return false }
      state.mustCancel = false
      return true
    }
  }

  /// The printer is on. Names the labels that it may have forgotten while it was away.
  private func noteSign() {
    let now = clock.now()
    let lost = state.withLock { state in
      defer { (state.isAway, state.lastSign) = (false, now) }
      let isGap = state.isAway && now - state.lastSign > Self.gap
      return isGap ? state.memory.lose() : []
    }
    name(lost, "the printer was away")
  }

  /// Takes in what the printer says.
  private func take(_ status: PrinterStatus) {
    noteSign()
    let now = clock.now()
    let printed = state.withLock { state in
      let before = state.memory.waiting
      let printed = state.memory.take(status, at: now)
      (state.obstacle, state.lastQuestion) = (status.obstacle, now)
      state.partialSince = status.hasPartialFormat ? state.partialSince ?? now : nil
      state.printed += printed.count
      if before != status.formatsWaiting || !printed.isEmpty { state.lastProgress = now }
      return printed
    }
    for written in printed {
      _ = note { () throws(JournalError) in try journal.note(.printed, labelOf: written) }
    }
  }

  /// Sends a label, and waits until the printer has it.
  private func serve(
    _ order: Order, _ connection: borrowing PrinterConnection
  ) throws(PrinterConnectionError) {
    let written = order.written
    let bytes: [UInt8]
    do throws(LabelTemplateError) {
      bytes = try template.bytes(for: written)
    } catch {
      complain("The label of job \(written.job.number) cannot be printed. \(error)")
      return removeOrder()
    }
    defer { removeOrder() }
    guard
      let isOurs = note({ () throws(JournalError) in try journal.claimLabel(of: written) })
    else { return }
    state.withLock { _ = $0.owed.remove(written.job.number) }
    guard isOurs else { return }
    do throws(PrinterConnectionError) {
      try connection.send(bytes, patience: Self.patience)
    } catch {
      state.withLock { $0.mustCancel = true }
      name([written], "\(error.what) while it was sent")
      throw error == .ended ? .broken("it ended the connection") : error
    }
    guard state.withLock({ $0.answers }) != false else {
      do throws(PrinterConnectionError) {
        try connection.waitUntilTaken(patience: Self.patience)
      } catch {
        name([written], error.what)
        throw error
      }
      _ = note { () throws(JournalError) in try journal.note(.printed, labelOf: written) }
      state.withLock { $0.printed += 1 }
      return
    }
    state.withLock { $0.memory.add(written, at: clock.now()) }
    // It answers after it has taken what came before, however slow its line is.
    let taking = Duration.seconds(bytes.count / Self.slowestLine)
    do throws(PrinterConnectionError) {
      take(try connection.status(patience: Self.patience + taking))
    } catch {
      throw error == .ended ? .broken("it ended the connection") : error
    }
  }

  /// Bytes a second.
  private static let slowestLine = 16_384

  private func fail(_ error: PrinterConnectionError) {
    let lost = state.withLock { state in
      state.obstacle = error.obstacle
      if error.leavesAnswers { state.mustListen = true }
      return state.memory.lose()
    }
    if !lost.isEmpty { state.withLock { $0.mustCancel = true } }
    name(lost, error.what)
  }

  /// Says of which labels it is not known if they are printed.
  private func name(_ labels: [WrittenTag], _ why: String) {
    guard let first = labels.first else { return }
    let jobs = labels.map(\.job.number).jobNames
    complain(
      labels.count == 1
        ? "The label of \(jobs), \(first.job.name), may not have been printed: \(why)."
        : "The labels of \(jobs) may not have been printed: \(why).")
  }

  /// Returns what the journal answers; nil, with a complaint, when it cannot.
  private func note<Value>(_ body: () throws(JournalError) -> Value) -> Value? {
    do throws(JournalError) {
      return try body()
    } catch {
      complain("A label was not noted: \(error)")
      return nil
    }
  }
}
