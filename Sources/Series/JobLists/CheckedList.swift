/// A list that was looked through and adopted: what it need not be looked through for again.
package struct CheckedList: Hashable, Sendable {
  /// SHA-256 of all that the check went by: the list's bytes, the settings, the program.
  package let digest: [UInt8]
  /// How many jobs there are.
  package let jobs: Int
  /// The longest message in bytes.
  package let longest: Int

  package init(digest: [UInt8], jobs: Int, longest: Int) {
    (self.digest, self.jobs, self.longest) = (digest, jobs, longest)
  }
}
