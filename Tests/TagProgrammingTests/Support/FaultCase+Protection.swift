import TagMemory

@testable import TagProgramming

/// Jobs that set passwords and locks.
extension FaultCase {
  private static let old = Protection(password: [0x11, 0x22, 0x33, 0x44], pack: [1, 2])
  private static let new = Protection(password: [0xA5, 0x5A, 0xC3, 0x3C], pack: [3, 4])
  private static let oldReadToo = Protection(password: old.password, readToo: true)
  private static let newReadToo = Protection(password: new.password, pack: [3, 4], readToo: true)
  private static let knowing = Credentials(password: old.password)

  /// With all settings; the limit counts, so that the password is given.
  private static func settings(_ product: String, freezes: Bool) -> FaultCase {
    var protection = new
    protection.settings.firstPage = 5
    protection.settings.attemptLimit = 3
    protection.settings.countsReads = product.hasPrefix("ntag") ? true : nil
    protection.settings.freezes = freezes
    return FaultCase(
      name: freezes ? "password and settings, frozen" : "password and settings", product: product,
      prepare: after(short), credentials: Credentials(password: new.password), isAskedOnce: true,
      job: .protect(protection))
  }

  static let protections =
    ["ultralight", "ultralight-c", "ultralight-aes", "ntag203", "ntag213", "mini"].flatMap {
      product in
      [
        protected("first URL and lock", product) { $0.lock = true },
        FaultCase(name: "lock", product: product, prepare: after(short), job: .lock(force: false)),
      ]
    } + [
      protected("first URL, password and lock", "ultralight-ev1-21") {
        $0.lock = true
        $0.protection = new
      },
      protected("first URL, reading with the password", "ntag216") { $0.protection = newReadToo },
      FaultCase(
        name: "another password, reading too", product: "ntag213",
        prepare: after(short, .protect(old)), credentials: knowing, job: .protect(newReadToo)),
      FaultCase(
        name: "password off", product: "ntag210", prepare: after(short, .protect(oldReadToo)),
        credentials: knowing, isAskedOnce: true, job: .unprotect),
    ]
    + ["ultralight-ev1-11", "ntag213"].flatMap { product in
      [
        settings(product, freezes: false), settings(product, freezes: true),
        FaultCase(name: "password", product: product, prepare: after(short), job: .protect(new)),
        FaultCase(
          name: "longer URL, protected", product: product, prepare: after(short, .protect(old)),
          credentials: knowing, job: other),
        FaultCase(
          name: "password off", product: product, prepare: after(short, .protect(old)),
          credentials: knowing, job: .unprotect),
      ]
    }

  private static let oldKey = Protection(key: Array(0x10...0x1F))
  private static let newKey = Protection(key: Array(0xA0...0xAF), readToo: true)
  private static let knowingOldKey = Credentials(password: oldKey.password)

  /// On an Ultralight C and an Ultralight AES, whose keys are written page by page and never show.
  static let keySeals = ["ultralight-c", "ultralight-aes"].flatMap(keySeals)

  private static func keySeals(_ product: String) -> [FaultCase] {
    // Where even AUTH_LIM does not show, the right key is sent once.
    let hidesLimit = product == "ultralight-aes"
    return [
      FaultCase(name: "key", product: product, prepare: after(short), job: .protect(oldKey)),
      protected("first URL, key and lock", product) {
        $0.lock = true
        $0.protection = newKey
      },
      FaultCase(
        name: "another key, reading too", product: product,
        prepare: after(short, .protect(oldKey)), credentials: knowingOldKey, job: .protect(newKey)),
      FaultCase(
        name: "longer URL, under a key", product: product,
        prepare: after(short, .protect(oldKey)), credentials: knowingOldKey, job: other),
      FaultCase(
        name: "key off", product: product, prepare: after(short, .protect(newKey)),
        credentials: Credentials(password: newKey.password), isAskedOnce: hidesLimit,
        job: .unprotect),
    ]
  }

  private static func protected(
    _ name: String, _ product: String, _ change: (inout WriteOptions) -> Void
  ) -> FaultCase {
    guard case .write(let message, var options) = short else { preconditionFailure() }
    change(&options)
    return FaultCase(name: name, product: product, job: .write(message, options))
  }
}

extension Product {
  /// The page of the dynamic lock bytes.
  var lockPage: Int? { (type2?.dynamicLocks?.page.number).map(Int.init) }
}
