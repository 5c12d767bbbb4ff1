import JSON
import JobLists

/// What `verify-hmac --json` says of a URL whose code holds.
struct HMACProofJSON: OutputDocument {
  var command = "verify-hmac"
  var result = "holds"
  /// What the code is over: `uid`, or the text `value`.
  var uid: String?
  var value: String?
  /// As it stands on tags.
  var code: String

  init(_ proof: HMACProof) {
    code = proof.code
    switch proof.input {
    case .uid(let uid): self.uid = uid.hex
    case .value(let value): self.value = value
    }
  }
}
