import NDEF
import TagMemory

@testable import TagProgramming

/// Ultralights and NTAGs of all sorts, and what may be done to them.
extension PreparedTag {
  static let type2 =
    Type2Tests.products.flatMap { type2($0) + [blank($0)] }
    + [
      "ultralight-ev1-11", "ultralight-ev1-21", "ntag210", "ntag213", "ntag216",
    ].flatMap(protected) + keyed + keyedAES

  /// Under the key of an Ultralight C, which nothing here knows: from a page on, against writing
  /// alone and against reading (MF0ICU2, 7.5.8).
  private static let keyed = [3, 4, 6, 20, 42].flatMap { auth0 in
    [UInt8(1), 0].flatMap { auth1 in
      [[Job](), [FaultCase.short]].map { jobs in
        PreparedTag(
          name: "under a key from page \(auth0) on, AUTH1 \(auth1)"
            + (jobs.isEmpty ? "" : ", a message"), product: "ultralight-c", jobs: jobs
        ) { memory in
          memory[42 * 4] = UInt8(auth0)
          memory[43 * 4] = auth1
        }
      }
    }
  }

  /// The same of an Ultralight AES, and with what it can demand besides.
  private static let keyedAES = [0, 3, 4, 20, 41, 42, 48].flatMap { auth0 in
    [UInt8(0x0C), 0x8C].flatMap { access in
      [UInt8(0), 2].flatMap { flags in
        [[Job](), [FaultCase.short]].map { jobs in
          PreparedTag(
            name: "under a key from page \(auth0) on, access \(access), flags \(flags)"
              + (jobs.isEmpty ? "" : ", a message"), product: "ultralight-aes", jobs: jobs
          ) { memory in
            (memory[41 * 4], memory[41 * 4 + 3], memory[42 * 4]) = (flags, UInt8(auth0), access)
            memory.replaceSubrange(48 * 4..<52 * 4, with: 0x30...0x3F)
          }
        }
      }
    }
  }

  private static func blank(_ product: String) -> PreparedTag {
    PreparedTag(name: "blank", product: product, content: .blank)
  }

  private static func type2(_ product: String) -> [PreparedTag] {
    let short = FaultCase.short
    let tag = Maker(product: product)
    return [
      tag("as delivered", []), tag("a message", [short]), tag("another message", [FaultCase.other]),
      tag("a message with a mirror", [FaultCase.mirrored(.uid, behind: "")]),
      tag("a message cut short", [FaultCase.other, short], end: 4),
      tag("a first message cut short", [short], end: 3),
      tag("locked", [short, .lock(force: false)]),
      tag("a lock cut short", [short, .lock(force: false)], end: 3),
      tag("page 6 locked", [short]) { $0[10] |= 0x40 },
      tag("the last pages under static lock bytes locked", [short]) { $0[11] |= 0x80 },
      tag("page 6 locked, blank", []) { $0[10] |= 0x40 },
      tag("a read-only capability container", [short]) { $0[15] |= 0x0F },
      tag("a length beyond the area", [short]) { $0[start(of: $0) + 1] = 0xF0 },
      tag("garbage in the message", [short]) { memory in
        let start = start(of: memory)
        for index in start + 2..<start + 8 { memory[index] = 0xA7 }
      },
      tag("garbage for TLVs", [short]) { for at in 16..<40 { $0[at] = 0xA7 } },
      tag("an empty message over the old one", [short]) { $0[start(of: $0) + 1] = 0 },
      tag("foreign data", []) { $0[44] = 0x42 },
      tag("foreign data and no capability container", []) { memory in
        memory.replaceSubrange(12..<16, with: [0, 0, 0, 0])
        memory[44] = 0x42
      },
      tag("another capability container", []) { $0[14] = 0x01 },
      // Without its lowest bit.
      tag("a smaller capability container", [short]) { $0[14] &= $0[14] - 1 },
      tag("a smaller capability container, an empty message", []) { $0[14] &= $0[14] &- 1 },
    ]
  }

  /// Protected from pages of all kinds on, against writing alone and against reading.
  private static func protected(_ product: String) -> [PreparedTag] {
    let first = Product.named(product)!.type2!.configuration!.cfg0
    return [0, 3, 4, 6, 8, Int(first.number) - 1, Int(first.number)].flatMap { auth0 in
      [false, true].flatMap { readToo in
        [[Job](), [FaultCase.short]].map { jobs in
          PreparedTag(
            name: "protected from page \(auth0) on\(readToo ? ", reading too" : "")"
              + (jobs.isEmpty ? "" : ", a message"),
            product: product, jobs: jobs
          ) { memory in
            let start = first.byteOffset
            memory[start + 3] = UInt8(auth0)
            memory[start + 4] = readToo ? 0x80 : 0
            memory.replaceSubrange(start + 8..<start + 14, with: password + [7, 7])
          }
        }
      }
    }
  }

  static let password: [UInt8] = [0x11, 0x22, 0x33, 0x44]

  static let type2Jobs: [(name: String, job: Job)] = [
    ("write", FaultCase.short), ("write another", FaultCase.other),
    ("write beyond the static lock bytes", FaultCase.write(FaultCase.media(60))),
    ("write more than most chips hold", FaultCase.write(FaultCase.media(300))),
    ("write and lock", write { $0.lock = true }),
    ("write, overwrite", write { $0.overwrite = true }),
    ("write and protect", write { $0.protection = protection }),
    (
      "write, protect and lock",
      write {
        $0.protection = protection
        $0.lock = true
      }
    ),
    ("lock", .lock(force: false)), ("lock by force", .lock(force: true)),
    ("protect", .protect(protection)), ("unprotect", .unprotect),
    (
      "protect from a page on, frozen",
      {
        var wanted = protection
        wanted.settings.firstPage = 6
        wanted.settings.freezes = true
        return .protect(wanted)
      }()
    ),
    ("write a mirror", FaultCase.mirrored(.uid, behind: "")),
    ("protect with a key", .protect(Protection(key: Array(0x20...0x2F)))),
    ("write pages", .writePages(PageWrite(start: 6, bytes: Array(1...16), force: false))),
  ]

  private static let protection = Protection(password: [0xA5, 0x5A, 0xC3, 0x3C], pack: [3, 4])

  /// Where the message's TLV stands: behind the lock control TLV, if there is one.
  private static func start(of memory: [UInt8]) -> Int { memory[16] == 0x01 ? 21 : 16 }
}
