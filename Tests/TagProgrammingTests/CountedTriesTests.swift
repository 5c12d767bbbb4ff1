import PN532Simulator
import TagMemory
import Testing

@testable import TagProgramming

/// `protect` with every setting, on tags in every state and of every past, with a fault at every
/// exchange and in every write, judged by the tag itself: its counter of wrong passwords (AUTHLIM,
/// NTAG213/215/216, 8.8.2), its password and CFGLCK.
@Suite("No run of protect brings a tag nearer to closing unsaid")
struct CountedTriesTests {
  private static let (new, old): ([UInt8], [UInt8]) = ([0xA5, 0x5A, 0xC3, 0x3C], [1, 2, 3, 4])

  /// What a job asks for beside the password.
  struct Wish: CustomTestStringConvertible, Sendable {
    var readToo = false
    var limit: Int?
    var firstPage: Page?
    var freezes = false

    var testDescription: String {
      "limit \(limit as Any), from \(firstPage as Any)\(readToo ? ", reading too" : "")\(freezes ? ", frozen" : "")"
    }

    var protection: Protection {
      var protection = Protection(password: new, pack: [7, 8], readToo: readToo)
      protection.settings.attemptLimit = limit
      protection.settings.firstPage = firstPage
      protection.settings.freezes = freezes
      return protection
    }
  }

  private static let wishes = [
    Wish(), Wish(limit: 1), Wish(readToo: true), Wish(readToo: true, limit: 1),
    Wish(limit: 0, firstPage: 6), Wish(limit: 2, firstPage: 7, freezes: true),
    Wish(readToo: true, limit: 1, firstPage: 5, freezes: true), Wish(freezes: true),
  ]

  private static let products = [
    "ntag210", "ntag212", "ntag213", "ntag215", "ntag216", "ultralight-ev1-11",
    "ultralight-ev1-21",
  ]

  /// What somebody has made of a tag before.
  private static func states(_ product: String, _ wish: Wish) throws -> [(String, [UInt8])] {
    var states: [(String, [UInt8])] = []
    func state(_ name: String, _ make: (Bench) -> Void) throws {
      let bench = try Bench(product)
      _ = bench.run(FaultCase.short)
      make(bench)
      states.append((name, bench.memory))
    }
    try state("fresh") { _ in }
    try state("as wanted") { _ = $0.run(.protect(wish.protection)) }
    for step in [3, 5, 7, 9, 11, 13] {
      try state("ended before step \(step)") { _ = $0.run(.protect(wish.protection), until: step) }
    }
    for (limit, hides) in [(0, false), (1, false), (2, true)] {
      var others = Protection(password: old, readToo: hides)
      others.settings.attemptLimit = limit
      try state("another's, limit \(limit)\(hides ? ", hidden" : "")") {
        _ = $0.run(.protect(others))
      }
      try state("another's, limit \(limit), taken away") {
        _ = $0.run(.protect(others))
        _ = $0.run(.unprotect) { $0.credentials.password = old }
      }
    }
    // An open tag that counts, as others' programs leave one.
    try state("open, limit 1") { bench in
      var memory = bench.memory
      let page = Product.named(product)!.type2!.configuration!.cfg1
      memory[Int(page.number) * 4] |= 1
      bench.tag.eeprom.load(memory)
    }
    return states
  }

  private static func place(_ product: String) -> ConfigurationPages {
    Product.named(product)!.type2!.configuration!
  }

  @Test("whatever the tag, the options and the fault", arguments: products, wishes)
  func faults(_ product: String, _ wish: Wish) throws {
    let isWhole = Exhaustive.isAsked || ["ntag213", "ultralight-ev1-11"].contains(product)
    for (index, (name, memory)) in try Self.states(product, wish).enumerated() {
      for given in [nil, Self.new, Self.old, [9, 9, 9, 9]] {
        try check(product, wish, name, memory, given, fault: nil)
        let isKnown = given == Self.new || given == nil
        guard isWhole, isKnown || Exhaustive.isAsked else { continue }
        let bench = try Bench(product)
        bench.tag.eeprom.load(memory)
        _ = bench.run(.protect(wish.protection)) { $0.credentials.password = given }
        let places = bench.chip.places
        let stride = Exhaustive.isAsked ? 1 : 11
        for place in 0..<places.exchanges where (place + index) % stride == 0 {
          for fault in [ExchangeFault.answerLost, .nak(0), .removed(afterObeying: true)] {
            var plan = FaultPlan()
            plan.exchanges = [(.at(place), fault)]
            try check(product, wish, "\(name), \(fault) at \(place)", memory, given, fault: plan)
          }
        }
        for place in 0..<places.eepromWrites {
          for bytes in Exhaustive.isAsked ? [0, 1, 2, 3, 4] : [1, 2 + 2 * (place % 2)] {
            var plan = FaultPlan()
            plan.eepromWrites = [(.at(place), .torn(afterBytes: bytes, putBack: bytes != 2))]
            try check(
              product, wish, "\(name), torn \(bytes) at \(place)", memory, given, fault: plan)
          }
        }
      }
    }
  }

  private func check(
    _ product: String, _ wish: Wish, _ state: String, _ memory: [UInt8], _ given: [UInt8]?,
    fault: FaultPlan?
  ) throws {
    let what = "\(product), \(wish.testDescription), \(state), given \(given as Any)"
    let bench = try Bench(product, faults: fault ?? .none)
    bench.tag.eeprom.load(memory)
    let chip = try #require(bench.tag as? VirtualType2)
    var tries = 0
    func judge(_ report: TagReport, _ given: [UInt8]?) {
      let counted = chip.registers.failedAuthentications - tries
      tries += counted
      // What was announced is one try, of a password that was given for this tag.
      var isAnnounced = false
      if case .passwordCounted = report.failure?.holds { isAnnounced = true }
      #expect(counted <= (isAnnounced && given != nil ? 1 : 0), "\(what): \(counted)")
      let place = Self.place(product)
      let access = bench.memory[Int(place.cfg1.number) * 4]
      if access & 0x40 != 0, memory[Int(place.cfg1.number) * 4] & 0x40 == 0 {
        #expect(bench.memory[Int(place.cfg0.number) * 4 + 3] == UInt8((wish.firstPage ?? 2).number))
        #expect(Self.password(bench, place) == Self.new, "frozen too early: \(what)")
      }
      guard report.failure == nil else { return }
      #expect(Self.password(bench, place) == Self.new, "another password: \(what)")
      #expect((access & 0x80 != 0) == wish.readToo, "\(what)")
      #expect(wish.limit.map { access & 7 == UInt8($0) } ?? true, "\(what)")
      #expect(!wish.freezes || access & 0x40 != 0, "\(what)")
    }
    judge(bench.run(.protect(wish.protection)) { $0.credentials.password = given }, given)
    bench.chip.field.place([bench.tag])
    let again = bench.run(.protect(wish.protection)) { $0.credentials.password = given }
    judge(again, given)
    guard again.failure?.remedy == .giveNewPasswordOrRemove else { return }
    // What the command says to do next.
    let isNew = Self.password(bench, Self.place(product)) == Self.new
    guard isNew else {
      let removed = bench.run(.unprotect) { $0.credentials.password = Self.old }
      #expect(removed.failure == nil, "\(what): \(removed.failure!)")
      let last = bench.run(.protect(wish.protection))
      judge(last, nil)
      #expect(last.failure == nil, "\(what): \(last.failure!)")
      return
    }
    let last = bench.run(.protect(wish.protection)) { $0.credentials.password = Self.new }
    judge(last, Self.new)
    #expect(last.failure == nil, "\(what): \(last.failure!)")
  }

  private static func password(_ bench: Bench, _ place: ConfigurationPages) -> [UInt8] {
    let start = Int(place.cfg0.number + 2) * 4
    return Array(bench.memory[start..<start + 4])
  }
}
