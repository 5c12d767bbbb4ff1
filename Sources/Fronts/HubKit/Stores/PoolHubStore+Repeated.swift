import JSON
import JobLists
import LedgerPostgreSQL

/// Why no more of a list is read.
private enum Stop: Error {
  /// Says whether all that was looked for is there.
  case found(Bool)
  case pool(PoolError)
}

extension PoolHubStore {
  /// Returns whether a batch was made of this list with these settings, and got more rows since:
  /// its list begins with all of this one.
  func isGrown(_ list: HubList, _ settings: JobSource.Settings) throws(HubError) -> Bool {
    let description = SourceDescription(kind: "csv", name: "", settings)
    let text = JSONText.pairs(description.settings.map { ($0.name, $0.value) })
    let known = try known(list.id)
    guard known.kind == description.kind,
      SourceDescription.withoutDialect(known.settings).utf8.elementsEqual(text.utf8)
    else {
      return false
    }
    var rest = Array(list.csv.utf8)[...]
    // The last line has its end in the pool.
    if let last = rest.last, last != 0x0A, last != 0x0D { rest.append(0x0A) }
    do throws(Stop) {
      let reading: PoolListReading
      do throws(PoolError) {
        reading = try PoolListReading(viewer.address.naming(list.id))
      } catch {
        throw .pool(error)
      }
      _ = try reading.read(Stop.pool) { piece throws(Stop) in
        let count = min(rest.count, piece.count)
        guard rest.prefix(count) == piece.prefix(count) else { throw .found(false) }
        rest = rest.dropFirst(count)
        if rest.isEmpty { throw .found(true) }
      }
      return false
    } catch {
      switch error {
      case .found(let isFound): return isFound
      case .pool(let error): throw HubError(error)
      }
    }
  }
}
