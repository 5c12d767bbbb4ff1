import Bytes
import Ledger
import TagMemory

extension SearchText {
  /// The UID that it may be, with or without marks between its bytes: 4 to 10 bytes.
  package var uid: UID? {
    let digits = text.filter { !" :.-".contains($0) }
    guard digits.utf8.count <= 20, let bytes = try? Hex.bytes(digits),
      (4...10).contains(bytes.count)
    else { return nil }
    return UID(bytes)
  }

  /// The job that it names as `#17`, `job 17`, `17` or `1,234`. A number with zeros before it is a
  /// code, unless it is said to be a job's.
  package var job: Int? {
    let parts = text.lowercased().wholeMatch(
      of: /(job\s*#?|#)?\s*([0-9]+|[0-9]{1,3}(?:,[0-9]{3})+)/)
    guard let parts, parts.output.1 != nil || !parts.output.2.hasPrefix("0"),
      let number = Int(parts.output.2.replacing(",", with: "")),
      (1...Int(Int32.max)).contains(number)
    else { return nil }
    return number
  }

  /// Is true if it can be nothing but a job's number.
  package var isJobOnly: Bool {
    job != nil && text.contains("#") || text.lowercased().hasPrefix("job") && job != nil
  }
}
