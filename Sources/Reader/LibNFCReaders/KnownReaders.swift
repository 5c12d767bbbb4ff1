import Bytes

/// The USB readers that libnfc drives, for rules and lists.
package enum KnownReaders {
  /// Vendor and product in four hexadecimal digits, small letters, as udev writes them.
  package static let all: [(vendor: String, product: String, model: String)] =
    KnownUSBReader.all.map { reader in
      let code = USBIdentity(vendor: reader.vendor, product: reader.product).code.lowercased()
      return (String(code.prefix(4)), String(code.suffix(4)), reader.model)
    }
}
