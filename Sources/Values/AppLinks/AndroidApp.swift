import NDEF
import UniversalLinks

/// An Android app, and where it is known the certificate that signs it: `com.example.app,5B:0E:…`.
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
      guard !fingerprint.isExample else { throw .exampleFingerprint }
      fingerprints.append(fingerprint)
    }
    self.init(packageName: name, fingerprints: fingerprints)
  }
}

/// The SHA-256 of a signing certificate.
package struct CertificateFingerprint: Hashable, Sendable {
  /// 32 bytes.
  package let bytes: [UInt8]

  /// Is true if it is the one of Google's documentation, which signs nobody's app.
  package var isExample: Bool { bytes == Self.example }

  private static let example: [UInt8] = [
    0x14, 0x6D, 0xE9, 0x83, 0xC5, 0x73, 0x06, 0x50, 0xD8, 0xEE, 0xB9, 0x95, 0x2F, 0x34, 0xFC, 0x64,
    0x16, 0xA0, 0x83, 0x42, 0xE6, 0x1D, 0xBE, 0xA8, 0x8A, 0x04, 0x96, 0xB2, 0x3F, 0xCF, 0x44, 0xE5,
  ]

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
