/// A number and what it counts: `1 byte`, `2 bytes`; `plural` where an s does not make it.
package func counted(_ count: Int, _ noun: String, _ plural: String? = nil) -> String {
  count == 1 ? "1 \(noun)" : "\(count) \(plural ?? noun + "s")"
}

/// The verb behind so many of them.
package func isAre(_ count: Int) -> String { count == 1 ? "is" : "are" }
