import TagProgramming
import Testing

@testable import Wording

/// A value for every case that a failure can have, some in several forms.
enum Examples {
  /// An enum of the failures: the file below `Sources/Engine/TagProgramming` that declares it, and
  /// the cases that have an example.
  struct Enumeration: CustomTestStringConvertible {
    let name: String
    let file: String
    let covered: Set<String>
    var testDescription: String { name }

    init(_ name: String, _ file: String, _ values: [Any]) {
      (self.name, self.file) = (name, file)
      covered = Set(values.map(Examples.label))
    }
  }

  static let causes: [Cause] =
    general + classic.map(Cause.classic) + type2.map(Cause.type2) + feliCa.map(Cause.feliCa)
    + type4.map(Cause.type4) + steps.map(Cause.step)
    + raw.map(Cause.raw)

  static let enums = [
    Enumeration("Cause", "Failures/Cause.swift", causes),
    Enumeration("ClassicCause", "Failures/ClassicCause.swift", classic),
    Enumeration("Type2Cause", "Failures/Type2Cause.swift", type2),
    Enumeration("FeliCaCause", "Failures/FeliCaCause.swift", feliCa),
    Enumeration("Type4Cause", "Failures/Type4Cause.swift", type4),
    Enumeration("RawCause", "Failures/RawCause.swift", raw),
    Enumeration("Trouble", "Failures/StepFailure.swift", steps.map(\.trouble)),
    Enumeration("Holds", "Failures/Holds.swift", holds),
    Enumeration("Progress", "Failures/Holds.swift", progress),
    Enumeration("Remedy", "Failures/Remedy.swift", remedies),
  ]

  /// `notBlank` of `.notBlank([4], isUnread: false)`.
  static func label(_ value: Any) -> String {
    Mirror(reflecting: value).children.first?.label ?? "\(value)"
  }

  /// `classic.notBlank`: the case, and the one inside it.
  static func path(_ value: Any) -> String {
    if let failure = value as? StepFailure { return label(failure.trouble) }
    let mirror = Mirror(reflecting: value)
    guard let child = mirror.children.first, mirror.displayStyle == .enum, let name = child.label
    else { return mirror.displayStyle == .enum ? "\(value)" : "" }
    let inner: Any = child.value
    let isCause =
      inner is ClassicCause || inner is Type2Cause || inner is FeliCaCause || inner is Type4Cause
      || inner is RawCause
    return isCause || inner is StepFailure ? "\(name).\(path(inner))" : name
  }
}
