import NDEF
import TagMemory

@testable import TagProgramming

/// Tags that speak ISO-DEP of all sorts, and what may be done to them.
extension PreparedTag {
  static let type4 =
    [("type4", 16), ("ntag424", 32), ("st25ta02k", 80)].flatMap { files($0.0, messageAt: $0.1) }
    + ["desfire-ev1", "desfire-ev2"].flatMap(cards)

  /// Tags whose files are there as they come: the container at the start of the memory, the
  /// message's file at `start`.
  private static func files(_ product: String, messageAt start: Int) -> [PreparedTag] {
    let (short, other) = (FaultCase.short, FaultCase.other)
    let tag = Maker(product: product)
    return [
      tag("as delivered", []), tag("a message", [short]), tag("another message", [other]),
      tag("a message cut short", [other, short], end: 2),
      tag("a long message cut short", [other, FaultCase.write(FaultCase.media(200))], end: 3),
      tag("locked", [short, .lock(force: false)]),
      tag("a reserved length", [short]) { $0[start + 1] = 1 },
      tag("a length beyond the file", [short]) { $0[start] = 0xF0 },
      tag("an empty message over the old one", [short]) { $0[start + 1] = 0 },
      tag("garbage in the message", [short]) { for at in start + 2..<start + 9 { $0[at] = 0xA7 } },
      tag("a container that forbids writing", [short]) { $0[14] = 0xFF },
      tag("a container that forbids reading", [short]) { $0[13] = 0xFF },
      tag("a container of another major version", [short]) { $0[2] = 0x40 | $0[2] & 0x0F },
      tag("a container without a file", [short]) { $0[7] = 0x05 },
    ]
  }

  /// DESFire cards: blank, formatted, and cut short on the way there.
  private static func cards(_ product: String) -> [PreparedTag] {
    let (short, other) = (FaultCase.short, FaultCase.other)
    func tag(_ name: String, _ jobs: [Job], end: Int = .max) -> PreparedTag {
      PreparedTag(
        name: name, product: product, jobs: jobs, credentials: Credentials(cardKeys: [cardKey]),
        end: end)
    }
    let cut = (3...8).map { end in
      tag("a format cut short before step \(end)", [cardFormat { $0.message = url }], end: end)
    }
    let keyed = cardFormat { $0.newKey = cardKey }
    return cut + [
      tag("as delivered", []), tag("formatted", [cardFormat()]),
      tag("formatted under a key", [keyed]), tag("a message", [cardFormat(), short]),
      tag("a message cut short", [cardFormat(), other, short], end: 2),
      tag("locked", [cardFormat(), short, .lock(force: false)]),
      tag("locked under a key", [keyed, short, .lock(force: false)]),
      tag("a lock cut short", [cardFormat(), short, .lock(force: false)], end: 3),
    ]
  }

  static let type4Jobs: [(name: String, job: Job)] = [
    ("write", FaultCase.short), ("write another", FaultCase.other),
    ("write more than a frame", FaultCase.write(FaultCase.media(200))),
    ("write more than most tags hold", FaultCase.write(FaultCase.media(5000))),
    ("write and lock", write { $0.lock = true }), ("lock", .lock(force: false)),
    ("lock by force", .lock(force: true)), ("format", cardFormat()),
    ("format with a URL", cardFormat { $0.message = url }),
    (
      "format with a URL, a key and lock",
      cardFormat {
        $0.message = url
        $0.newKey = cardKey
        $0.lock = true
      }
    ),
    ("restore", restore("type4")), ("protect", .protect(Protection(password: [1, 2, 3, 4]))),
  ]

  static let cardKey: [UInt8] = (1...16).map { UInt8($0) }

  private static func cardFormat(_ change: (inout Type4Format) -> Void = { _ in }) -> Job {
    var format = Type4Format()
    change(&format)
    return .formatType4(format)
  }
}
