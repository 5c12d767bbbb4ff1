import Bytes
import Foundation
import Testing

@testable import CardCrypto

/// Every vector of AN12304, revision 1.1.
@Suite("The leakage resilient primitive, AN12304")
struct LRPTests {
  private static let vectors: [[String]] = {
    guard let url = Bundle.module.url(forResource: "Vectors/lrp", withExtension: "txt"),
      let text = try? String(contentsOf: url, encoding: .utf8)
    else { return [] }
    return text.split(separator: "\n").dropFirst().map { line in
      line.split(separator: "|", omittingEmptySubsequences: false)
        .map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }()

  private static func vectors(_ kind: String) -> [[String]] { vectors.filter { $0[0] == kind } }

  @Test("the file has fifty vectors of each kind")
  func complete() {
    for kind in ["eval", "code", "encrypt"] { #expect(Self.vectors(kind).count == 50) }
  }

  @Test("evaluates", arguments: vectors("eval"))
  func value(_ vector: [String]) throws {
    let number = try #require(Int(vector[2]))
    let lrp = LRP(key: try Hex.bytes(vector[1]), updatedKey: number)
    let digits = vector[4].compactMap { $0.hexDigitValue.map(UInt8.init) }
    let value = lrp.value(at: digits, isFinal: vector[3] == "1")
    #expect(value == (try Hex.bytes(vector[5])))
  }

  @Test("makes codes", arguments: vectors("code"))
  func code(_ vector: [String]) throws {
    let lrp = LRP(key: try Hex.bytes(vector[1]))
    let code = lrp.authenticationCode(of: try Hex.bytes(vector[2]))
    #expect(code == (try Hex.bytes(vector[3])))
  }

  @Test("encrypts, and decrypts again", arguments: vectors("encrypt"))
  func encryption(_ vector: [String]) throws {
    let lrp = LRP(key: try Hex.bytes(vector[1]))
    var plain = try Hex.bytes(vector[4])
    if vector[3] == "1" {
      plain.append(0x80)
      while !plain.count.isMultiple(of: 16) { plain.append(0) }
    }
    var (there, back) = (try Hex.bytes(vector[2]), try Hex.bytes(vector[2]))
    let cipher = lrp.encrypt(plain, counter: &there)
    #expect(cipher == (try Hex.bytes(vector[5])))
    #expect(lrp.decrypt(cipher, counter: &back) == plain && back == there)
  }

  @Test("no text of it shows the key")
  func secrecy() throws {
    let lrp = LRP(key: [UInt8](0..<16))
    #expect("\(lrp)\(String(reflecting: lrp))".contains("primitive"))
    #expect(Mirror(reflecting: lrp).children.isEmpty)
  }
}
