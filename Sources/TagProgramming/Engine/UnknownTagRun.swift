import Readers
import TagMemory

/// A tag that no family here deals with: it is named, and nothing is said of what it holds.
final class UnknownTagRun: TagRunning {
  private let target: Target
  private let reader: TagReader
  private let begun: (start: Duration, counts: OperationCounts)

  init(_ target: Target, on programmer: Programmer) {
    self.target = target
    reader = programmer.reader
    begun = programmer.reader.lastLook
  }

  func survey() throws(SurveyFailure) -> TagFound { throw SurveyFailure(report: report(of: .read)) }

  func report(of job: Job) -> TagReport { report(leaving: Self.refusal(of: identification)) }

  func report(leaving reason: ProgramFailure) -> TagReport {
    let identity = TagIdentity(identification.product, remarks: identification.remarks)
    var description = TagDescription()
    (description.product, description.findings) = (identity.product, identity.findings)
    return TagReport(
      .failed, target: target, description: description, failure: reason,
      counts: reader.counts - begun.counts, duration: reader.clock.now() - begun.start,
      exchangeTime: reader.exchangeTime)
  }

  private var identification: Identification { Identification(target) }

  /// What is said of a tag that was recognised, or not, and that none of the jobs here can deal with.
  static func refusal(of identification: Identification) -> ProgramFailure {
    let reason: String
    switch identification.next {
    case .unknown(let sentence): reason = sentence
    default:
      let name = identification.product?.displayName ?? "tag of unknown type"
      reason = "The tag is of type \(name)."
    }
    let isType4 = identification.product?.memory == .type4
    return ProgramFailure(
      .refused,
      reason + (isType4 ? " Type 4 tags are not read yet," : " It is not read here,")
        + " so nothing is known of what it holds.",
      tagHolds: "unchanged.", next: "use a MIFARE Classic or a Type 2 tag, such as an NTAG.")
  }
}

extension Identification {
  /// What the tag was found to be, if it was.
  var product: Product? {
    if case .identified(let product) = next { product } else { nil }
  }
}
