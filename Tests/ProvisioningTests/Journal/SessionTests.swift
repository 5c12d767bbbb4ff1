import Foundation
import TagMemory
import Testing

@testable import LedgerSQLite

@Suite("A journal's sessions")
struct SessionTests {
  private func holder(of process: ProcessIdentity) throws -> ReservedTag.Holder {
    let bench = try JournalBench()
    let journal = try bench.session(jobs: 1).journal
    let session = try journal.begin(operator: "Ada", command: "", version: "", process: process)
    _ = try session.take(JournalBench.tag(1))
    return try #require(try journal.reservations().first).holder
  }

  private func identity(
    host: String? = nil, boot: String? = nil, namespace: String? = nil, process: Int? = nil,
    start: Int64? = nil
  ) -> ProcessIdentity {
    let here = ProcessIdentity.current
    return ProcessIdentity(
      host: host ?? here.host, boot: boot ?? here.boot, namespace: namespace ?? here.namespace,
      process: process ?? here.process, start: start ?? here.start)
  }

  @Test("tell the living from the dead")
  func liveness() throws {
    #expect(ProcessIdentity.current.start > 0)
    #expect(try holder(of: identity()) == .working(station: "1", process: identity().process))
    #expect(try holder(of: identity(start: 1)) == .gone)
    #expect(try holder(of: identity(boot: "an earlier one")) == .gone)
    #expect(try holder(of: identity(process: 0x3FFF_FFFF)) == .gone)
    #expect(try holder(of: identity(namespace: "a container")) == .unknown(host: identity().host))
    let other = identity(host: "elsewhere", boot: "its own")
    #expect(try holder(of: other) == .unknown(host: "elsewhere"))
    let renamed = identity(host: "elsewhere")
    #expect(try holder(of: renamed) == .working(station: "1", process: renamed.process))
  }

  @Test("know a process that has ended as gone, even while nobody has taken note")
  func zombie() throws {
    let child = Process()
    child.executableURL = URL(filePath: "/bin/sleep")
    child.arguments = ["60"]
    try child.run()
    let start = try #require(ProcessIdentity.start(of: Int(child.processIdentifier)))
    let identity = identity(process: Int(child.processIdentifier), start: start)
    #expect(identity.isAlive == true)
    kill(child.processIdentifier, SIGKILL)
    child.waitUntilExit()
    #expect(identity.isAlive == false)
  }

  @Test("keep their order when the clock goes backwards")
  func clock() throws {
    let bench = try JournalBench()
    let session = try bench.session(jobs: 3)
    for number in 1...3 {
      bench.time.subtract(86_400_000, ordering: .relaxed)
      let reservation = try session.take(JournalBench.tag(number))
      #expect(reservation.job.number == number)
      if number == 2 { try session.hold(reservation) } else { try session.finish(reservation) }
    }
    #expect(try session.take(JournalBench.tag(2)).job.number == 2)
    #expect(try session.journal.verify() == [])
  }
}
