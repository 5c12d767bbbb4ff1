import Bench
import Bytes
import Readers
import TagMemory
import TagProgramming

/// What a tag loses for good by a command.
enum Loss {
  /// Nobody can write it any more.
  case writeAccess
  /// All that it holds.
  case content
  /// What it holds, and perhaps that it can be written: lock bits, configuration, trailers.
  case contentAndWriteAccess

  /// That it opens again after so many wrong passwords, and that its configuration can be changed.
  case settings(limit: Int?, isFrozen: Bool)

  fileprivate var sentence: String {
    switch self {
    case .writeAccess: "Nobody can ever write it again."
    case .content: "All that it holds is lost."
    case .contentAndWriteAccess:
      "All that it holds is lost, and locks of the file close it for good."
    case .settings(let limit, let isFrozen):
      [
        limit.map {
          "After \(counted($0, "wrong password")) in a row, whoever sends them, nobody can ever open what the password protects, not even with the right one."
        },
        isFrozen
          ? "Nobody can ever change again what the password protects, the limit of wrong passwords, the counter or a mirror."
          : nil,
      ].compactMap(\.self).joined(separator: " ")
    }
  }
}

/// Asks a person at the terminal before a tag loses something for good: once, when the tag and the
/// steps are known and nothing is written.
final class Confirmation {
  private let loss: Loss
  private let line: ProgressLine
  private let isInterrupted: () -> Bool
  private var uid: UID?
  private var product: Product?
  private var isAsked = false
  /// Says whether the person has said no, or nothing.
  private(set) var isDeclined = false

  static let refusal = BenchError(.interrupted, "The answer was no, so nothing was written.")

  /// `isInterrupted` ends the wait for an answer.
  init(_ loss: Loss, _ line: ProgressLine, isInterrupted: @escaping () -> Bool) {
    (self.loss, self.line, self.isInterrupted) = (loss, line, isInterrupted)
  }

  /// Asks when the steps are known, if they change the tag.
  func hear(_ progress: JobProgress) {
    switch progress {
    case .found(let target): (uid, product) = (target.uid, nil)
    case .identified(let product): self.product = product
    case .planned(let program) where program.changesTag && !isAsked:
      line.clear()
      isAsked = true
      let tag = [product?.description ?? "Tag", uid?.description].compactMap(\.self)
      isDeclined = !Prompt.agrees(
        "\(tag.joined(separator: " ")): \(loss.sentence) Go on? [y/N] ",
        isInterrupted: isInterrupted)
    default: break
    }
  }
}

extension TagOptions {
  /// Asks once for a run that locks every tag. Fails with `interrupted` where the person says no.
  func requireConsent(toLock locks: Bool) throws(BenchError) {
    guard locks, !yes, !dryRun, Prompt.isPossible else { return }
    let agrees = Prompt.agrees("Nobody can ever write the tags of this run again. Go on? [y/N] ") {
      false
    }
    guard agrees else { throw Confirmation.refusal }
  }
}
