import TagMemory

/// What `verify-sun --json` says of an address that proves a tag. What is nil is absent.
package struct ProofJSON: WireDocument {
  package var command = "verify-sun"
  package var result = "genuine"
  package var uid: String?
  /// Which reading of the tag it is, from 1.
  package var counter: Int?
  /// What was encrypted, as text.
  package var data: String?

  /// What the tag says of its tamper loop: `closed`, `open` or `unwatched`, now and ever.
  package var tamper: Tamper?
  /// The tag is in LRP mode: true.
  package var lrp: Bool?

  package struct Tamper: Encodable {
    package var ever: String
    package var now: String
  }

  package init(_ proof: SUNProof, data: String?) {
    (uid, counter, self.data) = (proof.uid?.hex, proof.counter, data)
    tamper = proof.tamper.map { Tamper(ever: Self.word($0.ever), now: Self.word($0.now)) }
    lrp = proof.usesLRP ? true : nil
  }

  private static func word(_ loop: TamperState.Loop) -> String {
    switch loop {
    case .closed: "closed"
    case .open: "open"
    case .unwatched: "unwatched"
    }
  }
}
