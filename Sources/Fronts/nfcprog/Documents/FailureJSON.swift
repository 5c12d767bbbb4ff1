/// Why something failed.
struct FailureJSON: Encodable, Equatable {
  /// The exit status.
  var code: Int32
  var message: String
  /// The status bytes of the chip or the tag, where these are the reason: `status 14h`.
  var status: String?
}
