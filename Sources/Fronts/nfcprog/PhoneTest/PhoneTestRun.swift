import Bench
import LibNFCReaders
import NDEF
import Readers
import Synchronization

/// A guided test of a telephone: the board plays one message after another, and is a reader in
/// between, so that a telephone that still lies there does not read the next one unasked.
struct PhoneTestRun {
  let session: ReaderSession
  let console: Console
  let interruption: Interruption
  /// How long the telephone is waited for at each message.
  let patience: Duration
  /// Where the report is kept.
  let file: NamedFile?
  private let keyboard = LineKeyboard.ifAttended

  init(
    _ session: ReaderSession, _ console: Console, _ interruption: Interruption,
    patience: Duration, file: NamedFile?
  ) {
    (self.session, self.console, self.interruption) = (session, console, interruption)
    (self.patience, self.file) = (patience, file)
  }

  /// Runs the test. Fails as the board does, and with `noTag` where no telephone read any message.
  func perform() throws(BenchError) -> ExitStatus {
    var report = PhoneTestReport(
      reader: session.reader.name,
      version: ProgramVersion.number + (ProgramVersion.commit.map { " (\($0))" } ?? ""),
      libnfc: LibraryVersion.libnfc, kernel: KernelRelease.runningName)
    try keep(report)
    var lost: BenchError?
    do throws(BenchError) {
      for message in PhoneTestMessage.allCases {
        guard !interruption.isRequested else { break }
        report.results.append(try test(message, of: report.results.count))
        try keep(report)
      }
      report.isInterrupted = interruption.isRequested
    } catch {
      lost = error
    }
    // The table of results is printed after a failure, too.
    for line in report.table { console.result(line) }
    if console.json { console.json(PhoneTestJSON(report)) }
    if let lost { throw lost }
    if let saved = try keep(report) {
      console.saved(saved)
      console.remark("Read it, write into it which telephone that was, then send it.")
    }
    if report.isInterrupted { return .interrupted }
    guard report.results.contains(where: { !$0.taps.isEmpty }) else {
      throw BenchError(.noTag, "No telephone has read anything of any of the messages.")
    }
    return .success
  }

  @discardableResult
  private func keep(_ report: PhoneTestReport) throws(BenchError) -> NamedFile.Saved? {
    try file?.write(Array(report.text.utf8), isSecret: true)
  }

  /// Plays one message until a telephone has read it, or the person or the time ends that.
  private func test(
    _ message: PhoneTestMessage, of done: Int
  ) throws(BenchError) -> PhoneTestReport.Result {
    let bytes: [UInt8]
    do throws(NDEFError) { bytes = try message.message } catch {
      throw BenchError(.bug, "The message of the test cannot be made: \(error).")
    }
    let taps = Taps()
    // What was typed before the question is no answer to it.
    keyboard?.forget()
    let skip = keyboard == nil ? "" : " (Enter: skip)"
    console.complain(
      "\(done + 1) of \(PhoneTestMessage.allCases.count): the tag holds \(message.title). Hold the telephone to the board until it reacts.\(skip)"
    )
    let watch = PhoneTestWatch(patience, keyboard, session.interrupt)
    let tag = LiveTag(session, FixedContent(bytes)) { tap in taps.take(tap) }
    let interruption = interruption
    defer { tag.settle() }
    defer { watch.stop() }
    try tag.run { interruption.isRequested || watch.isOver }
    watch.stop()
    let all = taps.all
    for tap in all { console.remark(TapText(tap).line) }
    return PhoneTestReport.Result(
      message, all, isShown: try isShown(all.isEmpty),
      isSkipped: watch.isSkipped || interruption.isRequested)
  }

  private func isShown(_ nobodyCame: Bool) throws(BenchError) -> Bool? {
    guard let keyboard, !nobodyCame, !interruption.isRequested else { return nil }
    keyboard.forget()
    console.complain("Did the telephone show or open it? (y, n; Enter: not known)")
    do throws(ReaderError) {
      return try keyboard.agrees(patience, interruption.question)
    } catch {
      return nil
    }
  }

  /// The taps on one message.
  private final class Taps: Sendable {
    private let state = Mutex<[Tap]>([])

    var all: [Tap] { state.withLock { $0 } }

    /// Returns whether more are wanted: nobody has read all of it yet.
    func take(_ tap: Tap) -> Bool {
      state.withLock { $0.append(tap) }
      return !tap.isWhole
    }
  }
}
