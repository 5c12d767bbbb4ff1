import Foundation
import JobLists
import Testing

@testable import LedgerSQLite

@Suite("Secrets in a journal")
struct SecretTests {
  @Test("are not there: neither a row's password nor a digest of it")
  func passwords() throws {
    let bench = try JournalBench()
    func list(_ password: String) throws -> JobSource {
      let path = bench.folder.appending(path: "jobs.csv").path
      try Data("url,password\nhttps://example.com/1,\(password)\n".utf8)
        .write(to: URL(filePath: path))
      return try JobSource(.table(path))
    }
    func adopt(_ source: JobSource) throws -> Adoption {
      try bench.open().adopt(JournalBench.source) { take throws(JournalError) in
        try source.forEachJob { row throws(JournalError) in
          if case .success(let job) = row { try take(job) }
        }
      }
    }
    let source = try list("DEADBEEF")
    #expect(try adopt(source) == .imported(1))
    let session = try bench.open().begin()
    let reservation = try session.take(JournalBench.tag(1))
    #expect(reservation.job.hasPassword)
    #expect(try source.password(of: reservation.job) == [0xDE, 0xAD, 0xBE, 0xEF])
    try session.finish(reservation)
    var bytes: [UInt8] = []
    for suffix in ["", "-wal"] { bytes += try Data(contentsOf: URL(filePath: bench.path + suffix)) }
    let text = String(decoding: bytes, as: UTF8.self).uppercased()
    #expect(text.contains("HTTPS://EXAMPLE.COM/1"))
    #expect(!text.contains("DEADBEEF"))
    #expect(!Data(bytes).contains([0xDE, 0xAD, 0xBE, 0xEF]))
    // Nothing of the row's digest depends on the password: there are few enough to try them all.
    #expect(try adopt(list("CAFEF00D")) == .continued(1, added: 0))
  }
}

extension Data {
  fileprivate func contains(_ bytes: [UInt8]) -> Bool { range(of: Data(bytes)) != nil }
}
