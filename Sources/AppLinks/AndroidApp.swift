import NDEF
import UniversalLinks

/// An Android app, and where it is known the certificate that signs it: `com.example.app,14:6D:…`.
package struct AndroidApp: Hashable, Sendable {
  /// The application ID, such as `com.example.app`.
  package let packageName: String
  /// SHA-256 of the signing certificates that count, none when they are not known.
  package let fingerprints: [CertificateFingerprint]

  package init(packageName: String, fingerprints: [CertificateFingerprint] = []) {
    self.packageName = packageName
    self.fingerprints = fingerprints
  }

  /// Reads a package name and, each behind a comma, fingerprints.
  ///
  /// Throws a sentence for what is no package name or no fingerprint, and for a placeholder.
  package init(parsing text: String) throws(AppLinksError) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    let name = parts[0]
    guard (try? AndroidApplicationRecord(name)) != nil else { throw .notAPackageName(name) }
    if let placeholder = Placeholders.part(of: name) { throw .placeholder(placeholder, in: name) }
    var fingerprints: [CertificateFingerprint] = []
    for part in parts.dropFirst() {
      guard let fingerprint = CertificateFingerprint(part) else { throw .notAFingerprint(part) }
      fingerprints.append(fingerprint)
    }
    self.init(packageName: name, fingerprints: fingerprints)
  }
}

/// The SHA-256 of a signing certificate.
package struct CertificateFingerprint: Hashable, Sendable {
  /// 32 bytes.
  package let bytes: [UInt8]

  /// Reads 64 hexadecimal digits of either case, with or without colons between the bytes; nil for
  /// anything else.
  package init?(_ text: String) {
    var digits: [UInt8] = []
    for (index, character) in text.utf8.enumerated() {
      if character == UInt8(ascii: ":") {
        guard index % 3 == 2 else { return nil }
        continue
      }
      guard let digit = Character(Unicode.Scalar(character)).hexDigitValue else { return nil }
      digits.append(UInt8(digit))
    }
    let hasColons = text.utf8.contains(UInt8(ascii: ":"))
    guard digits.count == 64, text.utf8.count == (hasColons ? 95 : 64) else { return nil }
    bytes = stride(from: 0, to: 64, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}

extension CertificateFingerprint: CustomStringConvertible {
  /// As an asset links file wants it: upper case, with colons.
  package var description: String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
      .joined(separator: ":")
  }
}

/// Names from documentation that stand where an app's own should.
enum Placeholders {
  private static let words: Set<String> = [
    "yourcompany", "yourapp", "yourpackage", "your_package_name", "package_name", "mycompany",
    "applicationid", "packagename", "your",
  ]

  /// The part of `packageName` that is a placeholder; nil when none is.
  static func part(of packageName: String) -> String? {
    packageName.split(separator: ".").map(String.init).first { words.contains($0.lowercased()) }
  }
}
