/// `--android-record` without a package: of the app that is to be woken.
enum BareRecord {
  /// Stands for that app.
  static let sign = "-"

  /// `arguments`, where each bare `--android-record` has the sign for a value.
  static func completed(_ arguments: [String]) -> [String] {
    arguments.enumerated().map { index, argument in
      guard argument == "--android-record" else { return argument }
      let next = arguments.dropFirst(index + 1).first
      let isBare = next.map { $0.hasPrefix("-") || $0.contains(":") } ?? true
      return isBare ? "\(argument)=\(sign)" : argument
    }
  }
}
