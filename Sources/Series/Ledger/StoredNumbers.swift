/// Whoever writes to a store may write anything there, and what is read from it is reckoned with.
extension Int64 {
  /// As a time: milliseconds since 1970, before the year 10000.
  package var asStoredTime: Int64 { Swift.min(Swift.max(self, 0), 253_402_300_799_999) }

  /// As a number of jobs, as many as a list can have.
  package var asStoredCount: Int { Int(Swift.min(Swift.max(self, 0), Int64(Int32.max))) }
}
