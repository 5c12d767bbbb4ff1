import JobLists
import LedgerSQLite
import RecordText
import TagMemory
import TagProgramming

/// Rows that are whole memories, put back as a dump of one tag is put back on another.
extension RowPlanner {
  /// The data of the row's memory, where the tag is of its type.
  func data(of row: PlannedJob, for tag: Found) throws(JobRefusal) -> [UInt8] {
    guard let product = tag.product, product.name == row.tagType else {
      let wanted = row.tagType.flatMap(Product.named)?.displayName ?? "another type"
      throw .unsuitedTag("Row \(row.number) needs another tag: its memory is that of \(wanted).")
    }
    do throws(RecordTextError) {
      guard
        let data = try row.message.dump(for: product, files: source.files)?.image.data(of: product)
      else { throw RecordTextError(.badInput, "The memory has no data.") }
      return data
    } catch {
      throw .defective(error.message)
    }
  }

  func restore(_ row: PlannedJob) throws(JobFailure) -> Job {
    guard let dump = dump(of: row) else { throw JobFailure(.jobChanged(line: row.line)) }
    var restore = Restore(dump)
    restore.mustShowMessage = true
    return .restore(restore)
  }

  private func dump(of row: PlannedJob) -> TagDump? {
    row.tagType.flatMap(Product.named).flatMap { product in
      try? row.message.dump(for: product, files: source.files)
    }
  }

  /// Returns `options` with the keys that the memory of `row` gives its tag.
  package func opening(_ options: RunOptions, _ row: PlannedJob) -> RunOptions {
    guard let image = dump(of: row)?.image, case .classic(let geometry) = image.layout else {
      return options
    }
    var options = options
    options.credentials.keys += image.trailers(of: geometry).values.flatMap { [$0.keyA, $0.keyB] }
    return options
  }

  /// What lies on a tag that may be somebody's, by which it is known where it is a job's; nil where
  /// there is nothing.
  package func content(of found: TagFound) -> [UInt8]? {
    guard source.writesImages else { return found.message.flatMap { $0.isEmpty ? nil : $0 } }
    let reading = TagReading(found)
    return reading.isBlank ? nil : reading.data
  }

  /// Why a tag whose memory counts is left alone where not all of it can be read; nil where it need
  /// not. What was begun on it shows whoever finishes it.
  package func obstacle(on found: TagFound, isFresh: Bool) -> TagTrouble? {
    guard source.writesImages, isFresh, found.product != nil, TagReading(found).data == nil else {
      return nil
    }
    return TagTrouble(
      .unread, "Not all of the tag's memory can be read: what it holds may be somebody's.")
  }

  /// Why a tag is left alone that holds what the operator has not given up.
  package var foreign: TagTrouble {
    TagTrouble(
      .foreign,
      source.writesImages
        ? "The tag holds data already." : "The tag holds another message already.")
  }
}
