import TagMemory
import Testing

@testable import TagProgramming

/// A tag whose protection begins behind its message.
@Suite("Protection behind the message")
struct ProtectionBehindTests {
  @Test(
    "leaves the message to be erased, twice, and says of it what info does",
    arguments: ["ultralight-ev1-11", "ntag213", "ntag210", "ntag216"])
  func erasing(_ product: String) throws {
    let bench = try Bench(product)
    _ = bench.run(FaultCase.short)
    var protection = Protection(password: PreparedTag.password, readToo: true)
    protection.settings.firstPage = 12
    let protected = bench.run(.protect(protection))
    let info = bench.run(.info)
    #expect((protected.failure, protected.status) == (nil, .readOnly))
    #expect((info.status, info.isPasswordProtected) == (.readOnly, false))
    #expect(protected.isPasswordProtected == false)
    #expect(info.findings.map(\.code).contains("not-known"))
    let erase = Job.emptyMessage(WriteOptions())
    #expect(bench.run(erase).result == .written)
    #expect(bench.run(erase).result == .unchanged)
  }
}
