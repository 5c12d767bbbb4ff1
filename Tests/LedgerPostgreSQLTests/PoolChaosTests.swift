import Foundation
import SeededNumbers
import Synchronization
import Testing

@testable import Ledger
@testable import LedgerPostgreSQL
@testable import LedgerSQLite
@testable import Provisioning
@testable import TagMemory

@Suite(
  "A pool whose benches, database and network die", .serialized,
  .enabled(if: PostgresServer.isInstalled, PostgresServer.isMissing))
struct PoolChaosTests {
  /// Jobs, kills of benches, of the database, and cuts; `NFCPROG_POOL_CHAOS=5000,200,20,20` sets
  /// them.
  static let size: [Int] = {
    let text = ProcessInfo.processInfo.environment["NFCPROG_POOL_CHAOS"] ?? "200,12,2,2"
    return text.split(separator: ",").compactMap { Int($0) }
  }()

  @Test("puts every job on one tag, by the tags' own memories")
  func chaos() throws {
    let (jobs, kills, crashes, cuts) = (Self.size[0], Self.size[1], Self.size[2], Self.size[3])
    // Its own, which it may kill.
    let server = try PostgresServer(1)
    let networks = try (0..<4).map { _ in try Network(to: server.port) }
    let pool = try SamplePool(on: server)
    let folder = NSTemporaryDirectory() + "pool-\(UInt64.random(in: 0 ... .max))"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let tags = TagStack()
    let killed = Atomic(0)
    let working = Atomic(4)
    together(5) { index in
      guard index < 4 else {
        // The one who cuts cables and kills servers, evenly over the work.
        var numbers = SeededGenerator(seed: 7)
        var (crashed, cut) = (0, 0)
        while working.load(ordering: .relaxed) > 0, crashed < crashes || cut < cuts {
          let share = Double(tags.all.count) / Double(jobs)
          if cut < cuts, share > Double(cut) / Double(cuts + 1) {
            let network = networks[Int.random(in: 0..<4, using: &numbers)]
            network.cut()
            usleep(UInt32.random(in: 50_000...400_000, using: &numbers))
            network.heal()
            cut += 1
          } else if crashed < crashes, share > Double(crashed) / Double(crashes + 1) {
            do { try server.crash() } catch { Issue.record(error) }
            crashed += 1
          } else {
            usleep(5_000)
          }
        }
        return
      }
      defer { working.subtract(1, ordering: .relaxed) }
      var numbers = SeededGenerator(seed: UInt64(index) &* 977 &+ 5)
      do {
        let address = pool.text(through: networks[index])
        var isDone = false
        while !isDone {
          let wants = killed.load(ordering: .relaxed) < kills
          var bench = ChaosBench(
            address: address, folder: "\(folder)/\(index)", tags: tags, jobs: jobs,
            life: wants
              ? Int.random(in: 1...max(8, 40 * jobs / max(1, kills) / 8), using: &numbers) : .max)
          do {
            try bench.run()
            isDone = true
          } catch is ChaosBench.Killed {
            killed.add(1, ordering: .relaxed)
          } catch JournalError.pool(.away, _) {
            usleep(50_000)
          }
        }
      } catch {
        Issue.record(error)
      }
    }
    try tags.check(pool.address, jobs)
    print(
      "pool chaos: \(jobs) jobs, \(killed.load(ordering: .relaxed)) kills of benches, \(crashes) of the database, \(cuts) cuts"
    )
  }
}
