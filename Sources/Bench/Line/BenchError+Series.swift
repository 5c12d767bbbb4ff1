import Bench
import JobLists
import LedgerSQLite
import Provisioning

extension BenchError.Code {
  /// The code of a pool that cannot be used.
  init(_ trouble: JournalError.PoolTrouble) {
    self =
      switch trouble {
      case .badAddress: .usage
      case .away, .notAllowed: .unavailable
      case .notPrepared: .configuration
      case .noBatch: .noInput
      case .otherJobs, .lostBatch: .badInput
      case .failed: .cannotCreate
      }
  }
}

extension BenchError {
  /// A job list that cannot be used.
  package init(_ error: JobSourceError) {
    let code: Code =
      switch error.kind {
      case .usage: .usage
      case .badInput: .badInput
      case .noInput: .noInput
      case .noRoom: .cannotCreate
      }
    self.init(code, error.message, error.template.map { [.giveTemplate($0)] } ?? [])
  }

  /// A journal that cannot be worked with.
  package init(_ error: JournalError) {
    let code: Code =
      switch error {
      case .missing: .noInput
      case .notAJournal, .laterVersion, .earlierVersion, .damaged, .sourceChanged, .sourceFailed,
        .listHasJournal, .benchesJournal, .copied:
        .badInput
      case .cannotOpen, .readOnly, .full, .failed, .busy, .gone, .replaced: .cannotCreate
      case .reservationLost, .otherMessage: .tagTrouble
      case .pool(let trouble, _): Code(trouble)
      }
    let remedies: [Remedy] =
      switch error {
      case .sourceChanged(let difference) where difference.isAddition: [.extendList]
      case .sourceChanged(let difference) where difference.isCorrection: [.correctList]
      case .listHasJournal: [.startOver]
      case .pool(.lostBatch, _): [.takeUpLostBatch]
      default: []
      }
    self.init(code, error.description, remedies)
  }

  /// A journal that cannot be looked at.
  package init(reading error: JournalError) {
    let code: Code =
      switch error {
      case .notAJournal, .laterVersion, .earlierVersion, .damaged: .badInput
      case .busy: .unavailable
      case .pool(let trouble, _): Code(trouble)
      default: .noInput
      }
    self.init(code, error.description)
  }

  /// A label file that cannot be written.
  package init(_ error: LabelError) {
    if case .journal(let error) = error {
      self.init(error)
    } else {
      self.init(.cannotCreate, error.description)
    }
  }

  /// Returns what `body` gives; a failure of the journal becomes this library's.
  package static func journaled<Value>(
    _ body: () throws(JournalError) -> Value
  ) throws(BenchError) -> Value {
    do throws(JournalError) { return try body() } catch { throw BenchError(error) }
  }

  package static func journaled<Value>(
    _ body: @autoclosure () throws(JournalError) -> Value
  ) throws(BenchError) -> Value {
    do throws(JournalError) { return try body() } catch { throw BenchError(error) }
  }
}
