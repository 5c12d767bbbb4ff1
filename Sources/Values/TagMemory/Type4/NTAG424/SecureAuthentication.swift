/// How a host and an NTAG 424 DNA show each other that they know a key, in two exchanges: by AES
/// or, on a tag in LRP mode, by LRP (NT4H2421Gx, 9.1.5; NT4H2421Tx, 9.2.5).
package protocol SecureAuthentication: Sendable {
  /// The first command.
  var start: DESFireCommand { get }
  /// The second one, to what the tag sent with 91AF; nil where that is nothing of the kind.
  mutating func answer(to answer: [UInt8]) -> DESFireCommand?
  /// The session, from what the tag sent with 9100; nil where the tag does not know the key.
  func session(from answer: [UInt8]) -> EV2Session?
}
