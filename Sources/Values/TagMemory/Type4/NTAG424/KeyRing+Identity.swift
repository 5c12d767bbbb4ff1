import Bytes
import CardCrypto

extension KeyRing {
  /// Which keys a series has, said without a secret: what a journal keeps, and by which somebody
  /// who has the keys knows them again.
  package struct Identity: Hashable, Sendable {
    /// As a key file calls it: `fixed`, `an10922`, `an10922-short`, `sdm-backend`, `bolt-card`;
    /// `list` for keys that each row of a list has.
    package let scheme: String
    /// The first four bytes, in hexadecimal, of the code over a fixed text made with the master
    /// key; of `fixed` with its five keys, one after the other. Empty for `list`.
    package let master: String
    /// What goes into every key (AN10922); the columns of a list. Empty where there is none.
    package let name: String
    /// Stored beside each key.
    package let version: UInt8
    /// The keys' uses.
    package let metaRead: UInt8
    package let fileRead: UInt8

    package init(
      scheme: String, master: String, name: String, version: UInt8, metaRead: UInt8,
      fileRead: UInt8
    ) {
      (self.scheme, self.master, self.name) = (scheme, master, name)
      (self.version, self.metaRead, self.fileRead) = (version, metaRead, fileRead)
    }

    /// Is true if the tags have the keys that they were delivered with.
    package var isDelivered: Bool { self == KeyRing.delivered.identity }
  }

  /// How to know these keys without having them.
  package var identity: Identity {
    func made(_ scheme: String, _ keys: [AESKey], _ name: String = "") -> Identity {
      Identity(
        scheme: scheme, master: Self.fingerprint(keys), name: name, version: version,
        metaRead: metaRead, fileRead: fileRead)
    }
    return switch scheme {
    case .fixed(let keys): made("fixed", keys)
    case .an10922(let master, let name):
      made("an10922", [master], String(decoding: name, as: UTF8.self))
    case .an10922Short(let master, let name):
      made("an10922-short", [master], String(decoding: name, as: UTF8.self))
    case .sdmBackend(let master): made("sdm-backend", master.blocks)
    case .boltCard(let issuer): made("bolt-card", [issuer])
    case .list(_, let columns): made("list", [], columns.joined(separator: ", "))
    }
  }

  /// Each key's code over the code of the one before, the first's over a fixed text; four bytes of
  /// 16 lead back to no key.
  private static func fingerprint(_ keys: [AESKey]) -> String {
    guard !keys.isEmpty else { return "" }
    let code = keys.reduce(Array("nfcprog master id".utf8)) {
      AES128(key: $1.bytes).authenticationCode(of: $0)
    }
    return Hex.string(code[..<4])
  }
}

extension KeyRing.Identity: CustomStringConvertible {
  /// `an10922, master id 1a2b3c4d, name shop, version 1`.
  package var description: String {
    guard !isDelivered else { return "the keys of delivery" }
    let id = scheme == "fixed" ? "keys' id" : "master id"
    let parts = [
      scheme, master.isEmpty ? nil : "\(id) \(master)",
      name.isEmpty ? nil : (scheme == "list" ? "columns \(name)" : "name \(name)"),
      "version \(version)",
    ]
    return parts.compactMap(\.self).joined(separator: ", ")
  }
}
