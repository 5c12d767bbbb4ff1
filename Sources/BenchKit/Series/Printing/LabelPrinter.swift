import Dispatch
import Provisioning
import Synchronization

/// Prints labels on one ZPL printer, one after another, for all stations of a run.
///
/// A thread of its own asks the printer how it is, once a second and before each label, and sends
/// labels. The journal knows first that a label is begun to be sent, and afterwards that the
/// printer has it: a label is never sent twice by itself.
package final class LabelPrinter: LabelPrinting, Sendable {
  /// Which printer, and what it prints.
  package struct Settings: Sendable {
    package var address: PrinterAddress
    /// The template's file and its text.
    package var path: String
    package var text: String
    /// Labels of earlier runs that are printed again.
    package var printsAgain: LabelChoice?

    package init(
      _ address: PrinterAddress, path: String, text: String, printsAgain: LabelChoice? = nil
    ) {
      (self.address, self.path, self.text) = (address, path, text)
      self.printsAgain = printsAgain
    }
  }

  private struct Order {
    let written: WrittenTag
    /// Nil for a tag of an earlier run.
    let station: Int?
  }

  private struct State {
    var obstacle: PrinterObstacle?
    /// The first is the one that is at work.
    var orders: [Order] = []
    var printed = 0
    var isOver = false
    /// The end of a label of ours may be missing at the printer.
    var mustCancel = false
  }

  private let address: PrinterAddress
  private let template: LabelTemplate
  private let journal: Journal
  private let complain: @Sendable (String) -> Void
  private let state = Mutex(State())
  private let wake = DispatchSemaphore(value: 0)
  private let group = DispatchGroup()

  /// How long a connection, an answer, and the taking of a label may last.
  private static let patience = Duration.seconds(3)
  /// Between two questions.
  private static let pause = 1.0
  /// How long labels may be waited for at the end without one being printed.
  private static let lastPatience = Duration.seconds(10)

  package init(
    _ address: PrinterAddress, _ template: LabelTemplate, journal: Journal,
    complain: @escaping @Sendable (String) -> Void
  ) {
    (self.address, self.template, self.journal) = (address, template, journal)
    self.complain = complain
  }

  /// Asks the printer once. Throws when there is none at the address; one that is only not ready is
  /// waited for.
  package func begin() throws(BenchError) {
    ask()
    switch state.withLock({ $0.obstacle }) {
    case .unreachable(let reason):
      throw BenchError(
        .unavailable,
        "The label printer \(address) cannot be reached: \(reason). No tag was written.")
    case .otherAnswer:
      throw BenchError(
        .unavailable,
        "What answers at \(address) is not a ZPL printer, or is not set to ZPL. No tag was written."
      )
    default: break
    }
    DispatchQueue(label: "label printer").async(group: group) { [self] in work() }
  }

  package func obstacle(at station: Int) -> PrinterObstacle? {
    state.withLock { state in
      state.obstacle ?? (state.orders.contains { $0.station == station } ? .busy : nil)
    }
  }

  package func print(_ written: WrittenTag, at station: Int) {
    order(Order(written: written, station: station))
  }

  /// Takes over labels of earlier runs.
  package func print(_ earlier: [WrittenTag]) {
    for written in earlier { order(Order(written: written, station: nil)) }
  }

  private func order(_ order: Order) {
    state.withLock { $0.orders.append(order) }
    wake.signal()
  }

  /// Waits for the labels that are left, as long as they are printed. `isHurried`: somebody wants
  /// to end.
  package func finish(isHurried: @Sendable () -> Bool) {
    var last = state.withLock { ($0.orders.count, ContinuousClock.now) }
    while last.0 > 0 {
      let count = state.withLock { $0.orders.count }
      if count != last.0 { last = (count, .now) }
      let patience = isHurried() ? Duration.seconds(1) : Self.lastPatience
      guard last.1.duration(to: .now) < patience else { break }
      _ = group.wait(timeout: .now() + 0.02)
    }
    state.withLock { $0.isOver = true }
    wake.signal()
    // A label that is being sent gets to its end, well or not.
    group.wait()
  }

  /// How many labels the printer has taken.
  package var printed: Int { state.withLock { $0.printed } }

  // MARK: The thread

  private func work() {
    while !state.withLock({ $0.isOver }) {
      if let order = state.withLock({ $0.orders.first }) {
        if serve(order) {
          state.withLock { _ = $0.orders.removeFirst() }
          continue
        }
      } else {
        ask()
      }
      // A new label wakes the thread, but not while the printer is not ready.
      if state.withLock({ $0.obstacle == nil }) {
        _ = wake.wait(timeout: .now() + Self.pause)
      } else {
        rest()
      }
    }
  }

  /// Waits for as long as between two questions, or until the run is over.
  private func rest() {
    let end = ContinuousClock.now + .seconds(Self.pause)
    while ContinuousClock.now < end, !state.withLock({ $0.isOver }) {
      _ = wake.wait(timeout: .now() + 0.1)
    }
  }

  /// Asks the printer how it is.
  private func ask() {
    let found: PrinterObstacle?
    do throws(PrinterConnectionError) {
      found = try readyConnection().obstacle
    } catch {
      found = error.obstacle
    }
    state.withLock { $0.obstacle = found }
  }

  private struct Ready: ~Copyable {
    let connection: PrinterConnection
    let obstacle: PrinterObstacle?
  }

  /// A connection, and what the printer says of itself on it.
  private func readyConnection() throws(PrinterConnectionError) -> Ready {
    let connection = try PrinterConnection(to: address, limit: Self.patience)
    let deadline = ContinuousClock.now + Self.patience
    if state.withLock({ $0.mustCancel }) {
      try connection.send(Array("~JX".utf8), until: deadline)
    }
    let status = try connection.status(until: deadline)
    state.withLock { $0.mustCancel = false }
    return Ready(connection: connection, obstacle: status.obstacle)
  }

  /// Prints a label; whether its order is done with, well or not. False: the printer is not ready.
  private func serve(_ order: Order) -> Bool {
    let bytes: [UInt8]
    do throws(LabelTemplateError) {
      bytes = try template.bytes(for: order.written)
    } catch {
      complain("The label of job \(order.written.job.number) cannot be printed. \(error)")
      return true
    }
    do throws(PrinterConnectionError) {
      let ready = try readyConnection()
      state.withLock { $0.obstacle = ready.obstacle }
      guard ready.obstacle == nil else { return false }
      guard note(.sent, order) else { return true }
      send(bytes, of: order, ready.connection)
      return true
    } catch {
      state.withLock { $0.obstacle = error.obstacle }
      return false
    }
  }

  private func send(
    _ bytes: [UInt8], of order: Order, _ connection: borrowing PrinterConnection
  ) {
    let deadline = ContinuousClock.now + Self.patience
    do throws(PrinterConnectionError) {
      try connection.send(bytes, until: deadline)
      // It answers after it has taken what came before.
      let status = try connection.status(until: deadline)
      state.withLock { state in
        state.obstacle = status.obstacle
        state.printed += 1
      }
      _ = note(.printed, order)
    } catch {
      state.withLock { state in
        state.obstacle = error.obstacle
        state.mustCancel = true
      }
      complain(
        "The label of job \(order.written.job.number), \(order.written.job.name), may not have been printed: \(error.what) while it was sent."
      )
    }
  }

  /// Whether the journal has it.
  private func note(_ label: LabelState, _ order: Order) -> Bool {
    do throws(JournalError) {
      try journal.note(label, labelOf: order.written)
      return true
    } catch {
      complain("The label of job \(order.written.job.number): \(error)")
      return false
    }
  }
}

extension PrinterConnectionError {
  /// What happened, as the part of a sentence.
  fileprivate var what: String {
    switch self {
    case .unreachable(let reason), .broken(let reason, _): "the printer failed (\(reason))"
    case .silent: "the printer did not answer"
    case .otherAnswer: "the printer gave an answer that is no status"
    }
  }
}
