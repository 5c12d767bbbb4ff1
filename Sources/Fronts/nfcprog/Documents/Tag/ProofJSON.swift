import JSON
import TagMemory

/// What `verify-sun --json` says of an address that proves a tag. What is nil is absent.
struct ProofJSON: OutputDocument {
  var command = "verify-sun"
  var result = "genuine"
  var uid: String?
  /// Which reading of the tag it is, from 1.
  var counter: Int?
  /// What was encrypted, as text.
  var data: String?

  /// What the tag says of its tamper loop: `closed`, `open` or `unwatched`, now and ever.
  var tamper: Tamper?
  /// The tag is in LRP mode: true.
  var lrp: Bool?

  struct Tamper: Encodable {
    var ever: String
    var now: String
  }

  init(_ proof: SUNProof, data: String?) {
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
