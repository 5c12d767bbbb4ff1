import NDEF
import TagMemory

@testable import TagProgramming

/// FeliCa Lite and Lite-S of all sorts, and what may be done to them.
extension PreparedTag {
  static let felica = ["felica-lite", "felica-lite-s"].flatMap(felica)

  private static func felica(_ product: String) -> [PreparedTag] {
    let (short, other) = (FaultCase.short, FaultCase.other)
    func tag(
      _ name: String, _ jobs: [Job], end: Int = .max, isBlank: Bool = false,
      _ damage: @escaping @Sendable (inout [UInt8]) -> Void = { _ in }
    ) -> PreparedTag {
      PreparedTag(
        name: name, product: product, content: isBlank ? .blank : .factory, jobs: jobs, end: end,
        damage: damage)
    }
    return [
      tag("as delivered", []), tag("blank", [], isBlank: true), tag("a message", [short]),
      tag("another message", [other]), tag("a message cut short", [other, short], end: 3),
      tag("a first message cut short", [short], end: 4, isBlank: true),
      tag("a format cut short", [.formatFeliCa(FeliCaFormat())], end: 3, isBlank: true),
      tag("locked", [short, .lock(force: false)]),
      tag("a lock cut short", [short, .lock(force: false)], end: 3),
      tag("a message, no answer to NDEF", [short]) { $0[configuration + 3] = 0 },
      tag("being written", [short]) { setAttribute(9, 0x0F, &$0) },
      tag("for reading alone", [short]) { setAttribute(10, 0, &$0) },
      tag("a length beyond the memory", [short]) { setAttribute(12, 9, &$0) },
      tag("a wrong checksum", [short]) { $0[15] ^= 0x55 },
      tag("no attribute block", []) { memory in
        memory.replaceSubrange(0..<16, with: [UInt8](repeating: 0, count: 16))
      },
      tag("more blocks than there are", [short]) { setAttribute(4, 0x20, &$0) },
      tag("block 9 locked", [short]) { $0[configuration + 1] &= ~0x02 },
      tag("closed for good, its blocks open", [short]) { memory in
        memory[configuration + 1] &= 0x7F
        memory[configuration + 2] = 0
      },
      tag("closed but for its permissions", [short]) { $0[configuration + 2] = 0 },
      tag("foreign data", [], isBlank: true) { $0[40] = 0x42 },
      tag("foreign data behind no attribute block", [], isBlank: true) { memory in
        memory[configuration + 3] = 1
        memory[40] = 0x42
      },
    ]
  }

  /// Where the memory configuration lies, block 88h.
  private static let configuration = 21 * 16

  /// Sets a byte of the attribute block, and the sum over its first fourteen.
  private static func setAttribute(_ index: Int, _ value: UInt8, _ memory: inout [UInt8]) {
    memory[index] = value
    let sum = memory[0..<14].reduce(0) { $0 + Int($1) }
    (memory[14], memory[15]) = (UInt8(sum >> 8), UInt8(sum & 0xFF))
  }

  static let felicaJobs: [(name: String, job: Job)] = [
    ("write", FaultCase.short), ("write another", FaultCase.other),
    ("write as much as fits", FaultCase.write(FaultCase.media(198))),
    ("write more than fits", FaultCase.write(FaultCase.media(300))),
    ("write and lock", write { $0.lock = true }),
    ("write, overwrite", write { $0.overwrite = true }),
    ("format", felicaFormat()), ("format, overwrite", felicaFormat { $0.overwrite = true }),
    ("format with a URL", felicaFormat { $0.message = url }),
    (
      "format with a URL and lock, overwrite",
      felicaFormat {
        $0.message = url
        $0.lock = true
        $0.overwrite = true
      }
    ),
    ("lock", .lock(force: false)), ("lock by force", .lock(force: true)),
    ("restore", restore("felica-lite-s")),
    ("protect", .protect(Protection(password: [1, 2, 3, 4]))),
  ]

  private static func felicaFormat(_ change: (inout FeliCaFormat) -> Void = { _ in }) -> Job {
    var format = FeliCaFormat()
    change(&format)
    return .formatFeliCa(format)
  }

  /// What a dump of a tag of `product` with another message puts back.
  static func restore(_ product: String) -> Job {
    let source = try! Bench(product)
    _ = source.run(FaultCase.other)
    return .restore(Restore(source.run(.dump).dump!.image))
  }
}
