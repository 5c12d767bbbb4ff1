/// An Android application record: external type `android.com:pkg`, the package name as payload.
///
/// Android documentation, "NFC basics", Android application records. Android looks for it in the
/// whole message, unless the first record is for no app, and gives the app what the first record
/// holds if a filter of the app for NFC takes it: put the link first and this record last.
public struct AndroidApplicationRecord: Hashable, Sendable {
  /// Such as `com.example.app`.
  public let packageName: String
  /// The record's ID, at most 255 bytes; nil: it has none.
  public let id: [UInt8]?

  static let type = "android.com:pkg"

  /// A record that starts `packageName`: two parts or more with dots between, each a letter and
  /// then letters, digits and underscores; throws otherwise.
  public init(_ packageName: String, id: [UInt8]? = nil) throws(NDEFError) {
    guard Self.isPackageName(packageName) else {
      throw NDEFError(.invalidPackageName(packageName), in: .argument)
    }
    self.packageName = packageName
    self.id = id
    try Record.checkLengths(type: Self.type.utf8.count, id: id, payload: packageName.utf8.count)
  }

  /// Reads an Android application record; throws when `record` is of another type or its payload
  /// is not a package name.
  public init(parsing record: Record) throws(NDEFError) {
    guard Self.matches(record) else {
      throw NDEFError(.otherType(expected: "an Android application record"), in: .type)
    }
    let name = try Decoding.utf8(record.payload, at: 0)
    guard Self.isPackageName(name) else {
      throw NDEFError(.invalidPackageName(name), in: .payload)
    }
    packageName = name
    id = record.id
  }

  /// The record.
  public var record: Record {
    Record(checked: .external, type: Self.type.utf8, id: id, payload: Array(packageName.utf8))
  }

  static func matches(_ record: Record) -> Bool {
    record.typeNameFormat == .external && ASCII.lowercased(record.type) == type
  }

  private static func isPackageName(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count >= 2
      && parts.allSatisfy { part in
        part.first.map(ASCII.isLetter) == true
          && part.allSatisfy { ASCII.isAlphanumeric($0) || $0 == UInt8(ascii: "_") }
      }
  }
}
