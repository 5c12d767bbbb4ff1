import Bytes
import Readers
import TagMemory

/// One command of the operator's own to a tag.
public enum RawCommand: Hashable, Sendable {
  /// To a card that speaks ISO-DEP.
  case apdu(CommandAPDU)
  /// As the tag itself knows it.
  case tag([UInt8])
}

/// What a tag answered to one.
public struct RawAnswer: Hashable, Sendable {
  /// Without the status of an APDU.
  public let data: [UInt8]
  /// Of an APDU; nil for other commands.
  public let status: StatusWord?
}

/// What became of a series of raw commands.
public struct RawReport: Sendable {
  public internal(set) var target: Target?
  /// What the tag is, where its activation alone tells.
  public internal(set) var product: Product?
  /// Of the commands that were answered, in their order.
  public internal(set) var answers: [RawAnswer] = []
  /// The tag was found and nothing was sent to it, as was asked for.
  public internal(set) var isPlanned = false
  public internal(set) var counts = OperationCounts()
  /// From the look that found the tag, as measured.
  public internal(set) var duration = Duration.zero
  public internal(set) var failure: ProgramFailure?
}

/// Sends commands that the operator wrote himself to one tag: nothing is planned, repeated or read back.
public struct RawSeries: Sendable {
  public var commands: [RawCommand]
  /// Whether 61xx and 6Cxx are followed.
  public var following: Bool

  public init(_ commands: [RawCommand], following: Bool = false) {
    self.commands = commands
    self.following = following
  }

  /// Waits for a tag and sends the commands one after another, until one fails: lost, refused, or an APDU that was not carried
  /// out. Never throws: a failure is in the report. `dryRun`: the tag is waited for, and nothing is sent.
  public func run(
    on reader: TagReader, timeout: Duration, dryRun: Bool = false,
    shouldStop: () -> Bool = { false }
  ) -> RawReport {
    var report = RawReport()
    do throws(ReaderError) {
      let tag = try reader.waitForTag(timeout: timeout, shouldStop: shouldStop)
      report.target = tag
      report.product = Identification(tag).product
    } catch {
      report.failure = FailureText.whileWaiting(error)
      return report
    }
    guard !dryRun else {
      report.isPlanned = true
      return report
    }
    let (start, before) = reader.lastLook
    do throws(ProgramFailure) {
      for (index, command) in commands.enumerated() {
        guard !shouldStop() else {
          throw ProgramFailure(
            .interrupted, "Interrupted before command \(index + 1) of \(commands.count).",
            next: "run the same command again.")
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
  ) throws(ProgramFailure) {
    let place = "Command \(number) of \(commands.count)"
    do throws(ReaderError) {
      switch command {
      case .tag(let bytes):
        report.answers.append(RawAnswer(data: try reader.transceive(bytes), status: nil))
      case .apdu(let apdu):
        guard reader.speaksISODEP else { throw .noTag }
        let response = try reader.transmit(apdu, following: following)
        report.answers.append(RawAnswer(data: response.data, status: response.status))
      }
    } catch .noTag {
      throw ProgramFailure(
        .badInput, "The tag does not speak ISO-DEP (ISO/IEC 14443-4), so it takes no APDUs.",
        tagHolds: "unchanged.", next: "send its own commands with transceive.")
    } catch .exchangeFailed(.timeout) {
      throw ProgramFailure(
        .tagTrouble, "\(place): the tag did not answer in time.", tagHolds: "not known.",
        next: "check that the tag knows the command, lay it flat on the reader and try again.")
    } catch .exchangeFailed(let status) {
      throw ProgramFailure(
        .refused, "\(place): the tag refused it, or its answer was damaged (\(status)).",
        tagHolds: "not known.",
        next: "check that the tag knows the command and that it is allowed now.")
    } catch {
      throw FailureText.whileWaiting(error)
    }
    try Self.requireGoodFlags(report.answers.last, of: report.target, place)
    if let status = report.answers.last?.status, !status.isGood {
      let code = Hex.string([status.sw1, status.sw2]).uppercased()
      throw ProgramFailure(
        .refused, "\(place): the tag answered \(code), \(status).", tagHolds: "not known.",
        next: Self.advice(status))
    }
  }

  /// A FeliCa tag says in its answer whether it has read or written.
  private static func requireGoodFlags(
    _ answer: RawAnswer?, of target: Target?, _ place: String
  ) throws(ProgramFailure) {
    guard target?.feliCa != nil, let answer, let status = FeliCaStatus(answer: answer.data),
      !status.isGood
    else { return }
    throw ProgramFailure(
      .refused, "\(place): the tag refused it (status flags \(status)).", tagHolds: "not known.",
      next: "correct the command, or see what `nfcprog info` says of locks and keys.")
  }

  private static func advice(_ status: StatusWord) -> String {
    status.wantedLength != nil
      ? "send it again with that Le, or pass --follow." : "correct the command."
  }
}
