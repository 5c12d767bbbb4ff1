import ArgumentParser
import Bench
import Bytes
import JobLists
import RecordText
import TagMemory

struct VerifyHMAC: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify-hmac",
    abstract: "Check if a URL has the code that {hmac:FILE} puts into it.",
    discussion: """
        nfcprog verify-hmac 'https://example.com/t/A7F3?h=5NVW7C4AN0' --key shop.hmac

      Any part of the URL may be the code, and any other what it is over: the UID, or a value such as \
      the row's code. With --uid only that tag's UID counts. A link proves nothing of the tag that it \
      is read from: whoever copies the UID and the link copies the code. Exit status 0 if it holds, 77 if it does not, 65 for a \
      URL without a code.
      """)

  @Argument(help: "The URL as it was read.")
  var url: String

  @Option(help: ArgumentHelp("The file with the key.", valueName: "file"))
  var key: String

  @Option(
    help: ArgumentHelp("The UID of the tag that the URL was read from.", valueName: "hex"))
  var uid: String?

  @Flag(help: "Print one JSON object on standard output.")
  var json = false

  func run() throws {
    let console = Console(json: json, quiet: false, verbose: false)
    do throws(BenchError) {
      let proof = try check()
      if json { return console.json(HMACProofJSON(proof)) }
      switch proof.input {
      case .uid(let uid):
        console.result("holds, over the UID \(uid); a tag with a copied UID shows the same")
      case .value(let value):
        console.result(
          "holds, over \(RecordTextError.quoted(value)); a copy of the link shows the same")
      }
    } catch {
      throw ExitCode(console.fail("verify-hmac", error).rawValue)
    }
  }

  private func check() throws(BenchError) -> HMACProof {
    let known = try uid.map { text throws(BenchError) in
      guard let bytes = try? Hex.bytes(text), [4, 7, 8, 10].contains(bytes.count) else {
        throw BenchError(.usage, "\(text) is no UID: give its 4, 7, 8 or 10 bytes in hexadecimal.")
      }
      return UID(bytes)
    }
    try Files.requireSecret(key)
    let file = try Files.read(key)
    let bytes: [UInt8]
    do throws(RecordTextError) {
      bytes = try HMACField.key(in: file, of: key)
    } catch {
      throw BenchError(.badInput, error.message)
    }
    let found: HMACProof?
    do throws(HMACProof.NoCode) {
      found = try HMACProof.find(in: url, key: bytes, uid: known)
    } catch {
      throw BenchError(
        .badInput,
        "The URL has no code: no part of it has 8 to 51 characters of Crockford's base 32.")
    }
    guard let found else {
      throw BenchError(
        .refused,
        "The code does not hold: it is over nothing in the URL\(uid == nil ? ", or over a UID that the URL does not have: give --uid" : " and not over this UID"), or it was made with another key."
      )
    }
    return found
  }
}
