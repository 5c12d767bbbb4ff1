/// A status says whether a tag can carry NDEF, in the words of CoreNFC's `NFCNDEFStatus`.
public enum NDEFStatus: String, Hashable, Sendable, CaseIterable {
  /// The tag is not formatted for NDEF, or cannot be.
  case notSupported
  /// A message can be read and not be changed.
  case readOnly
  /// A message can be read and changed.
  case readWrite
}
