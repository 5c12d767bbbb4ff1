import Bench
import Foundation
import PhoneSessions
import Synchronization

/// Every session has these properties and methods.
///
/// developer.apple.com: NFCReaderSessionProtocol.
public protocol NFCReaderSessionProtocol: NSObjectProtocol {
  /// Is true if the reader is open and the session has not ended.
  var isReady: Bool { get }
  /// What the phone's sheet says; may be set any time.
  var alertMessage: String { get set }
  /// Begins. The delegate hears that the session is active, or why it is not.
  func begin()
  /// Ends the session, which cannot be begun again.
  func invalidate()
  /// Ends the session, which cannot be begun again; the sheet shows the message and a cross.
  func invalidate(errorMessage: String)
}

/// A session with tags: the base of `NFCNDEFReaderSession` and `NFCTagReaderSession`.
///
/// Its delegate is held weakly; the session itself lives from `begin()` to its end, whoever holds
/// it. Delegate and handlers are called on `sessionQueue` alone, and never before the call that
/// causes it has returned.
///
/// developer.apple.com: NFCReaderSession.
open class NFCReaderSession: NSObject, NFCReaderSessionProtocol, @unchecked Sendable {
  /// The delegate, while somebody holds it.
  public private(set) weak var delegate: AnyObject?
  /// Where the delegate and all handlers are called.
  public let sessionQueue: DispatchQueue

  private(set) var engine: PhoneSession!
  /// The bench that the session belongs to.
  let scope = BenchScope.current
  /// What the app had declared when the session was made.
  let declared = NFCBench.grants

  private struct State {
    var alertMessage = ""
    /// The session itself while it is active.
    var whileActive: NFCReaderSession?
    var isEnded = false
    /// Handlers that have not run yet.
    var pending = 0
  }
  private let state = Mutex(UncheckedState(State()))
  /// The state is used under its lock alone.
  private struct UncheckedState: @unchecked Sendable {
    var value: State
    init(_ value: State) { self.value = value }
  }

  /// What has happened and was not told yet, in order.
  private struct Turns {
    var events: [SessionEvent] = []
    /// How many of them have had their turn on the session's queue.
    var due = 0
    var isTelling = false
  }
  private let turns = Mutex(Turns())

  private static let queueKey = DispatchSpecificKey<Bool>()

  init(
    _ kind: PhoneSession.Kind, delegate: AnyObject, queue: DispatchQueue?,
    endsAfterFirstRead: Bool = false, applicationIDs: [[UInt8]] = [], systemCodes: [[UInt8]] = []
  ) {
    self.delegate = delegate
    sessionQueue = queue ?? DispatchQueue(label: "CoreNFC session")
    super.init()
    sessionQueue.setSpecific(key: Self.queueKey, value: true)
    let isAmbiguous = BenchScope.isAmbiguous
    var settings = PhoneSession.Settings { [scope] () throws(BenchError) in
      if isAmbiguous { throw BenchError(.usage, Self.ambiguity) }
      return try scope.phone.open(scope.settings.withLock(\.reader))
    }
    settings.reader = scope.phone
    settings.mode = NFCBench.mode == .phone ? .phone : .bench
    settings.grants = declared.narrowed(
      applicationIDs: applicationIDs, systemCodes: systemCodes)
    settings.timeLimit = NFCBench.mode == .phone ? NFCBench.timeLimit : nil
    settings.endsAfterFirstRead = endsAfterFirstRead
    settings.remark = { [scope] remark in scope.enter { NFCBench.say(remark) } }
    // On a phone the time limit ends a session whose delegate has gone; a bench has none.
    if NFCBench.mode == .bench {
      settings.isAbandoned = { [weak self] in self?.delegate == nil }
    }
    engine = PhoneSession(kind, settings) { [weak self] event in
      guard let self else { return }
      turns.withLock { $0.events.append(event) }
      sessionQueue.async { self.tellNext() }
    }
  }

  // MARK: The reader

  private static let ambiguity =
    "Tests with benches of their own are at work, and nobody can tell to which of them this session belongs: it was made on a queue, or in a detached task. Make it in the test's task, or in a delegate or handler of a session."

  /// The reader that sessions use, as `--reader` of `nfcprog` takes it, `sim:ntag213` included.
  /// Nil: NFCPROG_READER, else the only one found.
  public class var benchReader: String? {
    get { BenchScope.current.settings.withLock(\.reader) }
    set { BenchScope.current.settings.withLock { $0.reader = newValue } }
  }

  /// Is true if a reader is there and opens.
  open class var readingAvailable: Bool { BenchScope.current.phone.isAvailable(benchReader) }

  // MARK: The session

  open var isReady: Bool { engine.isActive }

  open var alertMessage: String {
    get { state.withLock { $0.value.alertMessage } }
    set {
      let isEnded = state.withLock { state in
        if !state.value.isEnded { state.value.alertMessage = newValue }
        return state.value.isEnded
      }
      if !isEnded, engine.isActive { scope.presenter.show(alert: newValue) }
    }
  }

  open func begin() {
    state.withLock { state in
      if !state.value.isEnded { state.value.whileActive = self }
    }
    engine.begin()
  }

  open func invalidate() {
    remarkIfPending("invalidate()")
    engine.invalidate()
  }

  open func invalidate(errorMessage: String) {
    remarkIfPending("invalidate(errorMessage:)")
    let isEnded = state.withLock { $0.value.isEnded }
    if !isEnded { scope.presenter.show(error: errorMessage) }
    engine.invalidate()
  }

  /// Tells of one event more. On a concurrent queue whoever tells at that time does it: no call to
  /// the delegate overtakes another or runs beside it.
  private func tellNext() {
    let isFree = turns.withLock { turns in
      turns.due += 1
      defer { turns.isTelling = true }
      return !turns.isTelling
    }
    guard isFree else { return }
    while let event = nextEvent() { scope.enter { take(event) } }
  }

  private func nextEvent() -> SessionEvent? {
    turns.withLock { turns in
      guard turns.due > 0 else {
        turns.isTelling = false
        return nil
      }
      turns.due -= 1
      return turns.events.removeFirst()
    }
  }

  private func take(_ event: SessionEvent) {
    switch event {
    case .active:
      let message = alertMessage
      if !message.isEmpty { scope.presenter.show(alert: message) }
    case .ended:
      state.withLock { state in
        state.value.isEnded = true
        state.value.whileActive = nil
      }
      scope.presenter.dismiss()
    case .detected, .messages: break
    }
    handle(event)
  }

  /// Tells the delegate; on the session's queue.
  func handle(_ event: SessionEvent) {}

  // MARK: Handlers

  /// A command is about to be sent, and its handler will run through `answer`.
  func willCall(_ call: String) {
    remarkIfPending(call)
    state.withLock { $0.value.pending += 1 }
  }

  /// Runs a handler on the session's queue.
  func answer(_ handler: @escaping @Sendable () -> Void) {
    sessionQueue.async { [self] in
      state.withLock { $0.value.pending -= 1 }
      scope.enter(handler)
    }
  }

  /// The app goes on, on the queue where a handler is still to run: it cannot have what that
  /// handler brings.
  private func remarkIfPending(_ call: String) {
    guard DispatchQueue.getSpecific(key: Self.queueKey) == true,
      state.withLock({ $0.value.pending > 0 })
    else { return }
    scope.enter { NFCBench.say(.handlerPending(call: call)) }
  }

  func connect(to tag: BenchTag?, completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
    willCall("connect(to:)")
    guard let tag, tag.owner === self else {
      let error = NFCReaderError(
        SessionError(.invalidParameter, "The tag is not one of this session."))
      return answer { completionHandler(error) }
    }
    engine.connect(to: tag.tag) { [self] error in
      answer { completionHandler(error.map(NFCReaderError.init)) }
    }
  }
}
