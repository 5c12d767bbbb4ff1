import HTTPServing

extension ServingContext {
  /// A job's number in the path.
  package func number(_ name: String) throws(Problem) -> Int {
    try Query.number(part(name), "job's number", in: 1...Int(Int32.max))
  }
}
