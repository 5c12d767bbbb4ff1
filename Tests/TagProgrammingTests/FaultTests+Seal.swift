import NDEF
import PN532Simulator
import TagMemory

@testable import TagProgramming

/// Jobs that set passwords and locks.
extension FaultTests {
  private static let old: [UInt8] = [0x11, 0x22, 0x33, 0x44]
  private static let new: [UInt8] = [0xA5, 0x5A, 0xC3, 0x3C]

  static let sealCases: [Case] = [
    sealed("first URL and lock", "ultralight") { $0.lock = true },
    sealed("first URL and lock", "ntag203") { $0.lock = true },
    sealed("first URL and lock", "ntag213") { $0.lock = true },
    sealed("first URL, password and lock", "ultralight-ev1-21", step: 3) {
      $0.lock = true
      $0.protection = Protection(password: new)
    },
    sealed("first URL, reading with the password", "ntag216", step: 3) {
      $0.protection = Protection(password: new, pack: [1, 2], readToo: true)
    },
    sealed("first URL and lock", "mini", step: 5) { $0.lock = true },
    Case(
      name: "lock", product: "ultralight-c", prepare: { _ = $0.run(write(first)) },
      job: { .lock(force: false) }),
    Case(
      name: "lock", product: "mini", prepare: { _ = $0.run(write(first)) },
      job: { .lock(force: false) }, step: 3),
    Case(
      name: "password", product: "ntag213", prepare: { _ = $0.run(write(first)) },
      job: { .protect(Protection(password: new)) }),
    Case(
      name: "another password, reading too", product: "ntag213",
      prepare: {
        _ = $0.run(write(first))
        _ = $0.run(.protect(Protection(password: old, pack: [1, 2])))
      }, job: { .protect(Protection(password: new, pack: [3, 4], readToo: true)) }, password: old),
    Case(
      name: "password off", product: "ntag210",
      prepare: {
        _ = $0.run(write(first))
        _ = $0.run(.protect(Protection(password: old, readToo: true)))
      }, job: { .unprotect }, password: old),
    restored("ntag213", step: 2), restored("mini", step: 9),
  ]

  /// A tag that holds another message than its dump.
  private static func restored(_ product: String, step: Int) -> Case {
    Case(
      name: "restore", product: product, prepare: { _ = $0.run(write(other)) },
      job: {
        let source = try Bench(product)
        _ = source.run(write(first))
        return .restore(Restore(source.run(.dump).dump!.image))
      }, step: step)
  }

  private static func sealed(
    _ name: String, _ product: String, step: Int = 1,
    _ change: @escaping @Sendable (inout WriteOptions) -> Void
  ) -> Case {
    Case(
      name: name, product: product, prepare: { _ in },
      job: {
        var options = WriteOptions()
        change(&options)
        return .write(Message(try URIRecord(first).record), options)
      }, step: step)
  }
}

extension Product {
  /// The page of the dynamic lock bytes.
  var lockPage: Int? { (type2?.dynamicLocks?.page.number).map(Int.init) }
}
