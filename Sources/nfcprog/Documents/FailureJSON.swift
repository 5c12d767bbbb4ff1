/// Why something failed.
package struct FailureJSON: Encodable, Equatable {
  /// The exit status.
  package var code: Int32
  package var message: String

  package init(code: Int32, message: String) { (self.code, self.message) = (code, message) }
}
