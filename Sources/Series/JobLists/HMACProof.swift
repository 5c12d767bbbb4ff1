import Bytes
import CardCrypto
import TagMemory
import WebAddress

/// What a URL proves with a code that `{hmac…}` has put into it.
package struct HMACProof: Hashable, Sendable {
  /// What the code is over.
  package enum Input: Hashable, Sendable {
    case uid(UID)
    case value(String)
  }

  package let input: Input
  /// The code as it is written on tags.
  package let code: String

  /// A URL that has nothing that may be such a code.
  package struct NoCode: Error {}

  /// What `url` proves, whose parts are looked through: any may be the code, and any other what it
  /// is over, or what stands before it in the same part. `uid`: of the tag that it was read from,
  /// where that is known. Nil where no code fits; fails where there is none.
  package static func find(
    in url: String, key: [UInt8], uid: UID? = nil
  ) throws(NoCode) -> HMACProof? {
    let parts = url.split { "/?&=#;".contains($0) }.map { PercentEncoding.decode(String($0)) }
    var isCode = false
    for (index, part) in parts.enumerated() {
      for start in part.indices {
        let tail = part[start...]
        guard HMACField.counts.contains(tail.utf8.count),
          let code = CodeAlphabet.canonical(tail)
        else { continue }
        isCode = true
        let others = parts.indices.filter { $0 != index }.map { parts[$0] }
        let before = String(part[..<start])
        // Of a tag that is known nothing but its own UID proves anything.
        var inputs = uid.map { [Input.uid($0)] } ?? []
        for value in [before, Self.trimmed(before)] + others where uid == nil {
          if let own = Self.uid(value) { inputs.append(.uid(own)) }
          if !value.isEmpty { inputs.append(.value(value)) }
        }
        let proof = inputs.first { Self.code(over: $0, key, count: code.utf8.count) == code }
        if let proof { return HMACProof(input: proof, code: code) }
      }
    }
    guard isCode else { throw NoCode() }
    return nil
  }

  private static func code(over input: Input, _ key: [UInt8], count: Int) -> String {
    let message =
      switch input {
      case .uid(let uid): uid.bytes
      case .value(let value): Array(value.utf8)
      }
    return CodeAlphabet.text(of: HMAC.code(of: message, key: key), count: count)
  }

  private static func uid(_ text: String) -> UID? {
    guard let bytes = try? Hex.bytes(text), [4, 7, 8, 10].contains(bytes.count) else { return nil }
    return UID(bytes)
  }

  /// Without what may divide it from the code.
  private static func trimmed(_ text: String) -> String {
    var text = text
    while let last = text.last, "-._~".contains(last) { text.removeLast() }
    return text
  }
}
