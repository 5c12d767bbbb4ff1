/// Where the hand puts the tag that it takes away.
package enum TagBin: String, Hashable, Sendable, CaseIterable {
  /// With the finished tags.
  case good
  /// On the reader again: it will be finished, or gets a job.
  case again
  /// Away: nobody may use it.
  case bin
  /// Out of this series: it belongs to somebody else, fits no job, or takes none as it is.
  case aside
}
