/// The variables of an environment, as a front end found them.
public struct Environment: Sendable {
  package var variables: [String: String]

  /// Takes variables and their values; without them, none is set.
  public init(_ variables: [String: String] = [:]) { self.variables = variables }

  /// A variable; an empty one counts as absent.
  package subscript(_ name: String) -> String? {
    variables[name].flatMap { $0.isEmpty ? nil : $0 }
  }
}
