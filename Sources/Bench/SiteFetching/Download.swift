import UniversalLinks

/// A file as a server sent it.
struct Download: Hashable, Sendable {
  let bytes: [UInt8]
  /// The media type, lower case, without parameters; nil when none was given.
  let mediaType: String?

  /// Media types under which devices are known to take the file.
  private static let usualTypes = [
    "application/json", "application/octet-stream", "application/pkcs7-mime", "text/json",
  ]

  /// What speaks against the media type, where something does.
  func contentTypeFinding(at address: String) -> Finding? {
    guard let mediaType, !Self.usualTypes.contains(mediaType) else { return nil }
    return Finding(
      .contentType, .address(address),
      """
      The file is served as \(mediaType); Apple recommends application/json, and many servers answer \
      with a web page where the file is missing. Set the content type.
      """)
  }
}
