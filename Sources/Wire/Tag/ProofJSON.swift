/// What `verify-sun --json` says of an address that proves a tag. What is nil is absent.
package struct ProofJSON: WireDocument {
  package var command = "verify-sun"
  package var result = "genuine"
  package var uid: String?
  /// Which reading of the tag it is, from 1.
  package var counter: Int?
  /// What was encrypted, as text.
  package var data: String?

  package init(uid: String?, counter: Int?, data: String?) {
    (self.uid, self.counter, self.data) = (uid, counter, data)
  }
}
