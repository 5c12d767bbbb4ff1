import Bench
import LedgerSQLite
import Provisioning
import TagMemory

extension KeyRings {
  /// Fails with `badInput` where no tag of the journal at `path` has the keys of `file`: a tag
  /// counts wrong ones.
  static func require(
    _ keys: KeyRing.Identity, of file: String, in path: String
  ) throws(BenchError) {
    let named: [KeyRing.Identity]
    let bench: String?
    do throws(JournalError) {
      let journal = try Journal(at: path, access: .readOnly)
      named = try journal.keysGiven()
      bench = PoolSeries.isPool(path) ? nil : try journal.benchName()
    } catch {
      throw BenchError(reading: error)
    }
    if let bench {
      throw BenchError(
        .badInput,
        "\(path) is what the bench \(bench) keeps of a batch in a database. Name the database: --journal postgresql://…?batch=NAME."
      )
    }
    // Keys that rows of a list had are in a file of their own now, and have no master.
    let mayBeRow = keys.scheme == "fixed" && named.contains { $0.scheme == "list" }
    guard !named.contains(keys), !mayBeRow else { return }
    let list = named.isEmpty ? "no keys" : named.map { "\($0)" }.joined(separator: "; ")
    throw BenchError(
      .badInput,
      "The keys in \(file) are not those of the journal. The file has \(keys); the journal names \(list). Nothing was sent to the tag."
    )
  }
}
