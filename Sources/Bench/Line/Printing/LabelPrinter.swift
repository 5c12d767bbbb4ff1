import Bench
import Dispatch
import LedgerSQLite
import Provisioning
import Readers
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Prints labels on one ZPL printer, one after another, for all stations of a run.
///
/// A thread of its own asks the printer how it is, once a second and before and after each label,
/// and sends labels. The journal knows first that a label is begun to be sent, and afterwards that
/// it has left the printer's memory: a label is never sent twice by itself.
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

  struct Order {
    let written: WrittenTag
    /// Nil for a tag of an earlier run.
    let station: Int?
  }

  struct State {
    var obstacle: PrinterObstacle?
    /// Labels that the printer has not got; the first is the one that is at work.
    var orders: [Order] = []
    /// Labels that it has got and perhaps not printed.
    var memory = PrinterMemory<WrittenTag>()
    /// Jobs whose labels this run was to print, and of which nothing was sent.
    var owed: Set<Int> = []
    var printed = 0
    var isOver = false
    /// When a label was last ordered, sent or printed.
    var lastProgress: Duration
    /// When the printer was last asked how it is, or said so.
    var lastQuestion: Duration
    /// When it last showed that it is on: it answered, or ended a connection for serving another.
    var lastSign: Duration
    /// It has refused a connection since.
    var isAway = false
    /// The end of a label of ours may be missing at the printer.
    var mustCancel = false
    /// Since when it waits for the rest of a label.
    var partialSince: Duration?
    /// Answers to earlier questions may still come.
    var mustListen = false
    /// Is true if it says how it is; nil: nobody knows yet.
    var answers: Bool?
  }

  let address: PrinterAddress
  let template: LabelTemplate
  let journal: Journal
  let complain: @Sendable (String) -> Void
  let clock: HostClock
  let state: Mutex<State>
  let wake = DispatchSemaphore(value: 0)
  private let group = DispatchGroup()
  /// Holds a FIFO open, so that who reads it sees no end between two labels.
  private let held = Mutex<CInt?>(nil)

  /// How long labels may be waited for at the end without one being printed; and where somebody
  /// wants to end.
  private static let lastPatience = Duration.seconds(10)
  private static let hurriedPatience = Duration.seconds(2)

  package init(
    _ address: PrinterAddress, _ template: LabelTemplate, journal: Journal,
    clock: HostClock = .system, complain: @escaping @Sendable (String) -> Void
  ) {
    (self.address, self.template, self.journal) = (address, template, journal)
    (self.clock, self.complain) = (clock, complain)
    let now = clock.now()
    state = Mutex(State(lastProgress: now, lastQuestion: now, lastSign: now))
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
    case .occupied:
      throw BenchError(
        .unavailable,
        "The label printer \(address) ends each connection: another program may be using it. No tag was written."
      )
    case .otherAnswer:
      throw BenchError(
        .unavailable,
        "What answers at \(address) is not a ZPL printer, or is not set to ZPL. No tag was written."
      )
    default: break
    }
    if case .device(let path) = address.place, let device = try? PrinterDevice(at: path),
      !device.answers
    {
      held.withLock { $0 = try? device.open() }
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
    for written in earlier where template.isPrintable(written) {
      order(Order(written: written, station: nil))
    }
    state.withLock { $0.owed.formUnion(earlier.map(\.job.number)) }
  }

  private func order(_ order: Order) {
    state.withLock { state in
      state.orders.append(order)
      state.owed.insert(order.written.job.number)
      state.lastProgress = clock.now()
    }
    wake.signal()
  }

  package func unfinished() -> PrinterObstacle? {
    state.withLock { state in
      guard !state.orders.isEmpty || !state.memory.isEmpty else { return nil }
      if let obstacle = state.obstacle { return obstacle }
      return clock.now() - state.lastProgress < Self.lastPatience ? .busy : nil
    }
  }

  /// Waits for the labels that are left, as long as they are printed. `isHurried`: somebody wants
  /// to end.
  package func finish(isHurried: @Sendable () -> Bool) {
    let start = clock.now()
    while let obstacle = unfinished() {
      let last = max(start, state.withLock { $0.lastProgress })
      let patience =
        isHurried() || obstacle != .busy ? Self.hurriedPatience : Self.lastPatience
      guard clock.now() - last < patience else { break }
      _ = group.wait(timeout: .now() + 0.02)
    }
    state.withLock { $0.isOver = true }
    wake.signal()
    // A label that is being sent gets to its end, well or not.
    group.wait()
    held.withLock { descriptor in
      if let descriptor { _ = close(descriptor) }
      descriptor = nil
    }
  }

  /// How many labels were printed.
  package var printed: Int { state.withLock { $0.printed } }

  /// The jobs whose labels were ordered, and of which nothing was sent.
  package var owed: Set<Int> { state.withLock { $0.owed } }

  /// What is in the way of those that were ordered.
  package var obstacle: PrinterObstacle? { state.withLock { $0.obstacle } }
}
