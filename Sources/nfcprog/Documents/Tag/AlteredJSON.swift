import RecordText

/// An address that is written otherwise than it was given.
package struct AlteredJSON: Encodable, Equatable {
  package struct Change: Encodable, Equatable {
    /// `host-punycode` or `percent-encoded`.
    package var code: String
    package var text: String
  }

  package var given: String
  package var written: String
  package var changes: [Change]

  package init(_ address: AlteredAddress) {
    (given, written) = (address.given, address.text)
    changes = address.changes.map { Change(code: $0.code, text: "\($0)") }
  }

  /// Nil for an empty list, which is left out.
  package static func list(_ addresses: [AlteredAddress]) -> [AlteredJSON]? {
    addresses.isEmpty ? nil : addresses.map(AlteredJSON.init)
  }
}
