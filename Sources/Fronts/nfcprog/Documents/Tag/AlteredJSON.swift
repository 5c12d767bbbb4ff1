import RecordText

/// An address that is written otherwise than it was given.
struct AlteredJSON: Encodable, Equatable {
  struct Change: Encodable, Equatable {
    /// `host-punycode` or `percent-encoded`.
    var code: String
    var text: String
  }

  var given: String
  var written: String
  var changes: [Change]

  init(_ address: AlteredAddress) {
    (given, written) = (address.given, address.text)
    changes = address.changes.map { Change(code: $0.code, text: "\($0)") }
  }

  /// Nil for an empty list, which is left out.
  static func list(_ addresses: [AlteredAddress]) -> [AlteredJSON]? {
    addresses.isEmpty ? nil : addresses.map(AlteredJSON.init)
  }
}
