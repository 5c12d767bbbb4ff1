/// What makes an address a GS1 Digital Link, which names a product, a parcel, a place or a document
/// by the number that GS1 has for it (GS1 Digital Link Standard: URI Syntax 1.4).
package enum GS1Link {
  /// Why an address is none: a clause.
  package struct Fault: Error, Hashable { package let reason: String }

  /// Fails unless `address` is a GS1 Digital Link: its path ends with an identifier and its value,
  /// then with what qualifies it in GS1's order, each value of its own form. What stands behind `?`
  /// may be anything but another identifier.
  package static func check(_ address: String) throws(Fault) {
    guard address.lowercased().hasPrefix("https://") || address.lowercased().hasPrefix("http://")
    else { throw Fault(reason: "it is no web link") }
    let parts = address.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)[0]
      .split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    // The scheme, nothing, and the host come first.
    let path = parts[0].split(separator: "/", omittingEmptySubsequences: false).dropFirst(3)
    // A slash at the end is no value where there is one before it.
    guard
      let start = Self.start(of: path) ?? (path.last == "" ? Self.start(of: path.dropLast()) : nil),
      let key = GS1Identifier.keys[String(path[start])]
    else {
      throw Fault(
        reason: "its path does not end with an identifier and its value, as /01/ and a GTIN")
    }
    try check(path[start + 1], key.identifier)
    var open = key.qualifiers
    for place in stride(from: start + 2, to: path.endIndex - 1, by: 2) {
      let code = String(path[place])
      // Those that were passed over may not come behind it any more.
      open = open.compactMap { order in
        order.firstIndex { $0.code == code }.map { Array(order[$0...]) }
      }
      guard let qualifier = open.first?.first else {
        let orders = key.qualifiers.map { $0.map(\.code).joined(separator: ", ") }
        throw Fault(
          reason: orders.isEmpty
            ? "nothing follows the value of (\(key.identifier.code)), and (\(code)) does here"
            : "(\(code)) does not stand where it may behind (\(key.identifier.code)): in this order, each at most once, come \(orders.joined(separator: ", or "))"
        )
      }
      try check(path[place + 1], qualifier)
      open = open.map { Array($0.dropFirst()) }
    }
    if parts.count == 2 { try check(attributes: parts[1]) }
  }

  /// Where an identifier and its value stand with which pairs of others up to the end begin; from
  /// the end, so that a value that looks like an identifier is none, nor what stands before.
  private static func start(of path: ArraySlice<Substring>) -> Int? {
    stride(from: path.endIndex - 2, through: path.startIndex, by: -2)
      .first { GS1Identifier.keys[String(path[$0])] != nil }
  }

  private static func check(_ value: Substring, _ identifier: GS1Identifier) throws(Fault) {
    let value = String(value)
    guard PercentEncoding.firstFault(in: value) == nil, PercentEncoding.spellsUTF8(value) else {
      throw Fault(
        reason: "the value of (\(identifier.code)) is not percent-encoded as addresses are")
    }
    try identifier.check(PercentEncoding.decode(value))
  }

  private static func check(attributes query: Substring) throws(Fault) {
    for pair in query.split(whereSeparator: { $0 == "&" || $0 == ";" }) {
      let name = String(pair.prefix { $0 != "=" })
      guard GS1Identifier.inPath.contains(name) else { continue }
      throw Fault(reason: "(\(name)) stands behind the question mark, and belongs into the path")
    }
  }
}
