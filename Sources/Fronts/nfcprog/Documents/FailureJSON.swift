/// Why something failed.
struct FailureJSON: Encodable, Equatable {
  /// The exit status.
  var code: Int32
  var message: String
}
