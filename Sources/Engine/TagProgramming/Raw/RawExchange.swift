import PN532
import Readers
import TagMemory

/// One command of the operator's own to a tag.
package enum RawCommand: Hashable, Sendable {
  /// To a card that speaks ISO-DEP.
  case apdu(CommandAPDU)
  /// As the tag itself knows it.
  case tag([UInt8])
}

/// What a tag answered to one.
package struct RawAnswer: Hashable, Sendable {
  /// Without the status of an APDU.
  package let data: [UInt8]
  /// Of an APDU; nil for other commands.
  package let status: StatusWord?
}

/// What became of a series of raw commands.
package struct RawReport: Sendable {
  package internal(set) var target: Target?
  /// What the tag is, where its activation alone tells.
  package internal(set) var product: Product?
  /// Of the commands that were answered, in their order.
  package internal(set) var answers: [RawAnswer] = []
  /// The tag was found and nothing was sent to it, as was asked for.
  package internal(set) var isPlanned = false
  package internal(set) var counts = OperationCounts()
  /// From the look that found the tag, as measured.
  package internal(set) var duration = Duration.zero
  package internal(set) var failure: JobFailure?
}

/// Sends commands that the operator wrote himself to one tag: nothing is planned, repeated or read
/// back.
package struct RawSeries: Sendable {
  package var commands: [RawCommand]
  /// Is true if 61xx and 6Cxx are followed.
  package var following: Bool

  package init(_ commands: [RawCommand], following: Bool = false) {
    self.commands = commands
    self.following = following
  }

  /// Waits for a tag and sends the commands one after another, until one fails: lost, refused, or
  /// an APDU that was not carried out. Never throws: a failure is in the report. `dryRun`: the tag
  /// is waited for, and nothing is sent; likewise where `accepts` does not take the tag.
  package func run(
    on reader: TagReader, timeout: Duration, dryRun: Bool = false,
    accepts: (Target) -> Bool = { _ in true },
    shouldStop: () -> Bool = { false }
  ) -> RawReport {
    var report = RawReport()
    do throws(ReaderError) {
      let tag = try reader.waitForTag(timeout: timeout, shouldStop: shouldStop)
      report.target = tag
      report.product = Identification(tag).product
    } catch {
      report.failure = JobFailure(waiting: error)
      return report
    }
    for (index, command) in commands.enumerated() {
      guard let excess = command.excess(on: reader) else { continue }
      let cause = RawCause.notCarried(
        command: index + 1, count: commands.count, reason: excess.description)
      report.failure = JobFailure(.raw(cause), holds: .unchanged)
      return report
    }
    let isTaken = report.target.map(accepts) ?? true
    guard !dryRun, isTaken else {
      report.isPlanned = true
      return report
    }
    let (start, before) = reader.lastLook
    do throws(JobFailure) {
      for (index, command) in commands.enumerated() {
        guard !shouldStop() else {
          throw JobFailure(
            .raw(.interrupted(command: index + 1, count: commands.count)), remedy: .runAgain)
        }
        try send(command, number: index + 1, on: reader, &report)
      }
    } catch {
      report.failure = error
    }
    report.counts = reader.counts - before
    report.duration = reader.clock.now() - start
    return report
  }

  private func send(
    _ command: RawCommand, number: Int, on reader: TagReader, _ report: inout RawReport
  ) throws(JobFailure) {
    let count = commands.count
    // A look has found it, and nothing selects it.
    if case .apdu = command, let tag = report.target, tag.typeA == nil, tag.speaksISODEP,
      !reader.speaksISODEP
    {
      let lost = ReaderError.tagLost(expected: tag.uid, found: nil)
      throw JobFailure(.reader(lost), holds: .unchanged, remedy: lost.remedy)
    }
    do throws(ReaderError) {
      switch command {
      case .tag(let bytes):
        report.answers.append(RawAnswer(data: try reader.transceive(bytes), status: nil))
      case .apdu(let apdu):
        guard try reader.enterProtocol() else { throw .noTag }
        let response = try reader.transmit(apdu, following: following)
        report.answers.append(RawAnswer(data: response.data, status: response.status))
      }
    } catch .noTag {
      throw JobFailure(.raw(.noISODEP), holds: .unchanged, remedy: .sendTagCommands)
    } catch .exchangeFailed(.timeout) {
      throw JobFailure(
        .raw(.noAnswer(command: number, count: count)), holds: .notKnown,
        remedy: .checkCommandAndPlace)
    } catch .wrongAnswerLength(expected: 2, let received) where command.isAPDU {
      throw JobFailure(
        .raw(.noStatus(command: number, count: count, byteCount: received)), holds: .notKnown,
        remedy: .sendTagCommands)
    } catch .exchangeFailed(let status) {
      throw JobFailure(
        .raw(.refused(command: number, count: count, status)), holds: .notKnown,
        remedy: .checkCommand)
    } catch {
      throw JobFailure(.reader(error), holds: .notKnown, remedy: error.remedy)
    }
    let flags = report.answers.last.flatMap { FeliCaStatus(answer: $0.data) }
    if report.target?.feliCa != nil, let flags, !flags.isGood {
      // A FeliCa tag says in its answer whether it has read or written.
      throw JobFailure(
        .raw(.flags(command: number, count: count, flags)), holds: .notKnown,
        remedy: .correctFeliCaCommand)
    }
    if let status = report.answers.last?.status, !status.isGood {
      throw JobFailure(
        .raw(.status(command: number, count: count, status)), holds: .notKnown,
        remedy: status.wantedLength == nil ? .correctCommand : .sendWithLength)
    }
  }
}

extension RawCommand {
  fileprivate var isAPDU: Bool { if case .apdu = self { true } else { false } }

  /// Why it does not pass `reader`, whose tag is selected; nil where nothing speaks against it.
  fileprivate func excess(on reader: TagReader) -> ExchangeLimit.Excess? {
    switch self {
    case .tag(let bytes): reader.excess(ofRaw: bytes)
    case .apdu(let apdu): TagCommand.apdu(apdu).excess(over: reader.limit)
    }
  }
}
