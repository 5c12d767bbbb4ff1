/// The status and the headers of an HTTP answer, line by line as they come.
struct AnswerHead {
  private(set) var status = 0
  /// Is true if the empty line at its end was there.
  private(set) var isWhole = false
  private var headers: [(name: String, value: String)] = []
  private var byteCount = 0

  /// More is no head of a file.
  static let byteLimit = 65_536

  /// Takes the next line with its end. False where the head has become too long.
  mutating func take(_ line: [UInt8]) -> Bool {
    // An interim answer (RFC 9110, 15.2) comes before the one that counts.
    if isWhole { (status, isWhole, headers) = (0, false, []) }
    byteCount += line.count
    guard byteCount <= Self.byteLimit else { return false }
    let text =
      String(decoding: line, as: UTF8.self)
      .split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    if status == 0 {
      // HTTP/1.1 200 OK
      status = Int(text.split(separator: " ").dropFirst().first ?? "") ?? 0
    } else if text.isEmpty {
      isWhole = status >= 200
      if !isWhole { (status, headers) = (0, []) }
    } else if let colon = text.firstIndex(of: ":") {
      let value = text[text.index(after: colon)...]
      headers.append((text[..<colon].lowercased(), Self.trimmed(value)))
    }
    return true
  }

  /// The first value of a header; `name` in lower case.
  func first(_ name: String) -> String? { headers.first { $0.name == name }?.value }

  private static func trimmed(_ text: Substring) -> String {
    var text = text.drop { $0 == " " || $0 == "\t" }
    while let last = text.last, last == " " || last == "\t" { text.removeLast() }
    return String(text)
  }

  /// What it says against its body.
  var failure: FetchError? {
    let reason = first("apple-failure-reason")
    if 300..<400 ~= status, reason == nil {
      return .redirect(status: status, location: first("location"))
    }
    if status != 200, let reason {
      return .refusedByCDN(
        status: status, CDNRefusal(reason: reason, details: first("apple-failure-details")))
    }
    guard status == 200 else { return .status(status) }
    let encoding = first("content-encoding")?.lowercased()
    return encoding.flatMap { $0 == "identity" ? nil : .encoded($0) }
  }

  /// How many bytes the body is said to have.
  var announcedByteCount: Int? { first("content-length").flatMap { Int($0) } }

  /// The media type, lower case, without parameters; nil when none was given.
  var mediaType: String? {
    let type = first("content-type")?.prefix { $0 != ";" && $0 != " " }.lowercased()
    return type.flatMap { $0.isEmpty ? nil : $0 }
  }
}
