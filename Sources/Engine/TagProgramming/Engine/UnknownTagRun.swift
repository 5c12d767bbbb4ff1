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

  func survey() throws(SurveyError) -> TagFound { throw SurveyError(report: report(of: .read)) }

  func refusalAsNotGenuine() -> TagReport? { report(of: .read) }

  func report(of job: Job) -> TagReport { report(leaving: Self.refusal(of: identification)) }

  func report(leaving reason: JobFailure) -> TagReport {
    let identity = TagIdentity(identification.product, remarks: identification.remarks)
    var description = TagDescription()
    (description.product, description.findings) = (identity.product, identity.findings)
    return TagReport(
      .failed, target: target, description: description, failure: reason.onUntouchedTag,
      counts: reader.counts - begun.counts, duration: reader.clock.now() - begun.start,
      exchangeTime: reader.exchangeTime)
  }

  private var identification: Identification { Identification(target) }

  /// What is said of a tag that was recognised, or not, and that none of the jobs here can deal
  /// with.
  static func refusal(of identification: Identification) -> JobFailure {
    let cause: Cause =
      switch identification.next {
      case .unknown(let remark): .unidentified(remark: remark)
      case .identified(let product): .unsupportedProduct(product)
      case .probe: .unidentified(remark: "The tag's type is not known.")
      }
    return JobFailure(cause, remedy: .useSupportedTag)
  }
}

extension Identification {
  /// What the tag was found to be, if it was.
  var product: Product? {
    if case .identified(let product) = next { product } else { nil }
  }
}
