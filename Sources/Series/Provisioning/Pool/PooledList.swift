import JobLists
import Ledger
import LedgerPostgreSQL
import LedgerSQLite

/// The list of a batch as the pool has it, for a bench that has no list of its own: what rows are
/// added there later comes to the bench by itself (`PoolBench.takeUpRows`).
package struct PooledList: Sendable {
  package let source: JobSource
  package let description: SourceDescription
  /// The batch's.
  let identity: [UInt8]

  /// Reads the list of the batch at an address. Throws where the batch has none.
  package init(at text: String) throws(JournalError) {
    let address = try PoolSeries.address(text)
    let (spool, reading): (SourceFile, PoolListReading)
    do throws(PoolError) { reading = try PoolListReading(address) } catch {
      throw JournalError(error)
    }
    do throws(JobSourceError) { spool = try SourceFile(keeping: SentList.name) } catch {
      throw .sourceFailed(error.message)
    }
    let hasList = try reading.read(JournalError.init) { bytes throws(JournalError) in
      do throws(JobSourceError) { try spool.append(bytes[...]) } catch {
        throw .sourceFailed(error.message)
      }
    }
    guard hasList else {
      throw .pool(
        .noBatch,
        "The batch \(address.batch) has no list in the database: a bench has loaded it. Give the list and its settings here, too."
      )
    }
    (description, identity) = (Self.description(of: reading.batch), reading.batch.identity)
    do throws(JobSourceError) { source = try JobSource(spool, description.jobSettings) } catch {
      throw .sourceFailed(error.message)
    }
  }

  static func description(of batch: PoolBatch) -> SourceDescription {
    let settings = (try? StoredJob.pairs(batch.settings)) ?? []
    return SourceDescription(
      kind: batch.kind, name: batch.source, settings: settings.map { .init($0.0, $0.1) })
  }
}
