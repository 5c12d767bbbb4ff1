import Bytes
import Testing

@testable import TagMemory

/// The reading is boltcard's, `docs/TEST_VECTORS.md`.
@Suite("NTAG 424 DNA: a server's file of keys")
struct ServerKeysTests {
  private static let url =
    "https://example.com/?p=4E2E289D945A66BB13377A728884E867&c=E19CCB1FED8892CE"
  private static let (meta, code) = (
    "0c3b25d92b38ae443229dd59ad34b85d", "b45775776cb224c75bcde7ca3704e933"
  )
  private static let uid = "04996c6a926980"
  private static let other = String(repeating: "5a", count: 16)

  private func proof(_ text: String) throws -> SUNProof {
    let keys = try #require(try ServerKeys(parsing: text))
    return try SUNProof(try SUNParts(guessing: Self.url), with: keys)
  }

  @Test("one key for UID and counter on all tags, or one on each: the reading is found and proven")
  func proves() throws {
    let (uid, meta, code, other) = (Self.uid, Self.meta, Self.code, Self.other)
    for text in [
      "key 1 = \(meta)\n04112233445566 = \(other)\n\(uid) = \(code)\n",
      "# for a server\nversion = 1\n04112233445566 = \(other) \(other)\n\(uid) = \(code) \(meta)\n",
    ] {
      let proof = try proof(text)
      #expect(proof.uid?.hex == uid && proof.counter == 3, "\(text)")
    }
  }

  @Test("another key, another tag's key, and a tag that the file does not have prove nothing")
  func refuses() throws {
    let (uid, meta, code, other) = (Self.uid, Self.meta, Self.code, Self.other)
    let tag = try #require(try ServerKeys(parsing: "\(uid) = \(code) \(meta)").map { $0.tags[0] })
    for (text, error) in [
      ("key 1 = \(meta)\n\(uid) = \(other)", SUNError.wrongCode),
      ("key 1 = \(other)\n\(uid) = \(code)", .notDecrypted),
      ("\(uid) = \(code) \(other)", .notDecrypted),
      // The key decrypts, but the line is another tag's.
      ("04112233445566 = \(code) \(meta)", .notDecrypted),
      ("key 1 = \(meta)\n04112233445566 = \(code)", .unknownTag(tag.uid)),
    ] {
      #expect(throws: error) { try proof(text) }
    }
  }

  @Test("what is written is read again, each tag's keys in its line, a key of all tags once")
  func roundTrip() throws {
    func key(_ hex: String) throws -> AESKey { try #require(AESKey(try Hex.bytes(hex))) }
    let (one, two) = (UID([4, 1, 2, 3, 4, 5, 6]), UID([4, 1, 2, 3, 4, 5, 7]))
    let (meta, code, other) = (try key(Self.meta), try key(Self.code), try key(Self.other))
    var shared = ServerKeys([(one, code, meta), (two, other, meta)])
    (shared.version, shared.metaRead, shared.fileRead) = (7, 3, 4)
    let own = ServerKeys([(one, code, meta), (two, other, code)])
    for keys in [shared, own] {
      #expect(try ServerKeys(parsing: keys.lines.joined(separator: "\n")) == keys)
    }
    #expect(shared.lines.filter { $0.contains(Self.meta) } == ["key 3 = \(Self.meta)"])
    #expect(own.shared == nil && own.lines.count == 5)
    #expect(!"\(own)".contains(Self.code))
  }

  @Test("a file for a server gives no tag keys, nor does one that only names a master")
  func notForTags() throws {
    func sentence(_ text: String) -> String {
      do throws(KeyRingFile.FormatError) {
        _ = try KeyRingFile.parse(text)
        return ""
      } catch {
        return error.description
      }
    }
    #expect(sentence("version = 1\nkey 1 = \(Self.meta)").contains("verify-sun"))
    #expect(sentence("\(Self.uid) = \(Self.code)").contains("verify-sun"))
    #expect(sentence("scheme = an10922\nmaster-id = 1a2b3c4d").contains("Give the file"))
    #expect(try ServerKeys(parsing: "scheme = an10922\nmaster = \(Self.code)") == nil)
    #expect(try ServerKeys(parsing: "code,k0,k1") == nil)
  }

  @Test(
    "a wrong line is named, and nothing of it said",
    arguments: [
      "\(uid) = 1234", "\(uid) = \(code) \(meta) \(meta)", "\(uid) = ", "key 1 = 12\n\(uid) = 1",
      "master = \(code)\n\(uid) = \(code) \(meta)", "version = many\n\(uid) = \(code) \(meta)",
      "\(uid) = \(code)",
    ])
  func wrong(_ text: String) throws {
    do throws(KeyRingFile.FormatError) {
      _ = try ServerKeys(parsing: text)
      Issue.record("taken: \(text)")
    } catch {
      #expect(!error.description.contains("1234") && !error.description.contains(Self.code))
    }
  }
}
