import ArgumentParser
import Bench
import Bytes
import TagMemory

struct VerifySUN: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify-sun",
    abstract: "Check if a URL from an NTAG 424 DNA proves its tag.",
    discussion: """
        nfcprog verify-sun "$URL" --keys shop.keys

      Decrypts, checks the code, and says UID and counter, and with --template what a TagTamper says of its loop. With --counters a URL that was shown before, or an older one, is \
      refused. Exit status 0 for a proof, 77 for none, 65 for a URL that has no places filled in.
      """)

  @Argument(help: "The URL as it was read.")
  var url: String

  @Option(
    help: ArgumentHelp(
      "The file with the tags' keys, or the one that provision --export-keys made.",
      valueName: "file"))
  var keys: String

  @Option(
    help: ArgumentHelp(
      "The template that it was written with; otherwise values are told by their lengths.",
      valueName: "url"))
  var template: String?

  @Option(
    help: ArgumentHelp(
      "The file that keeps the highest counter of each tag; made where there is none.",
      valueName: "file"))
  var counters: String?

  @Flag(help: "Print one JSON object on standard output.")
  var json = false

  func validate() throws {
    guard !url.isEmpty else {
      throw ValidationError("The URL is empty. Give it as it was read from the tag.")
    }
  }

  func run() throws {
    let console = Console(json: json, quiet: false, verbose: false)
    do throws(BenchError) {
      let proof = try check()
      guard let counters else { return tell(proof, console) }
      // Two readings of one tag may be checked at once.
      try Files.alone(at: counters) { () throws(BenchError) in
        try SUNCounters(path: counters).take(proof) {
          tell(proof, console)
          // A verdict that nobody got uses up no reading.
          return !OutputFile.standardOutputIsLost
        }
      }
    } catch {
      throw ExitCode(console.fail("verify-sun", error).rawValue)
    }
  }

  private func tell(_ proof: SUNProof, _ console: Console) {
    if json {
      console.json(ProofJSON(proof, data: proof.fileData.map(Self.text)))
    } else {
      var words = ["genuine"]
      if let uid = proof.uid { words.append("UID \(uid)") }
      if let counter = proof.counter { words.append("reading \(counter)") }
      if let data = proof.fileData { words.append("data \(Self.text(data))") }
      if let tamper = proof.tamper { words.append("tamper loop \(tamper)") }
      if proof.usesLRP { words.append("LRP") }
      console.result(words.joined(separator: ", "))
    }
  }

  private func check() throws(BenchError) -> SUNProof {
    let keys = try KeyRings.readForProofs(keys)
    let readings: [SUNParts]
    do throws(SUNParts.AddressError) {
      readings =
        if let template { [try SUNParts(url, template: template)] } else {
          try SUNParts.readings(of: url)
        }
    } catch {
      throw BenchError(.badInput, Self.sentence(error))
    }
    var fault: SUNError?
    for parts in readings {
      do throws(SUNError) {
        return try SUNProof(parts, with: keys)
      } catch {
        // The likeliest reading comes first: the command reports its fault.
        fault = fault ?? error
      }
    }
    throw BenchError(.refused, Self.sentence(fault ?? .noCode))
  }

  private static func sentence(_ fault: SUNParts.AddressError) -> String {
    switch fault {
    case .otherAddress:
      "The URL is not one of the template, or no tag has filled its places in."
    case .noCode: "The URL has no value of 16 digits, which a code has, so it proves nothing."
    case .ambiguous:
      "The URL does not tell by itself what its values are. Give --template with the URL that the tags were written with."
    }
  }

  private static func sentence(_ fault: SUNError) -> String {
    switch fault {
    case .notDecrypted:
      "The URL proves nothing: UID and counter do not decrypt with these keys."
    case .noCode: "The URL has no code, so it proves nothing."
    case .noUID: "The URL does not say which tag it is of, and the key follows from the UID."
    case .wrongCode: "The URL proves nothing: its code is not that of this tag and counter."
    case .unknownTag(let uid):
      "The URL proves nothing: it names tag \(uid), of which the file with the keys has none."
    }
  }

  private static func text(_ data: [UInt8]) -> String {
    String(decoding: data.reversed().drop { $0 == UInt8(ascii: "~") }.reversed(), as: UTF8.self)
  }
}

/// The highest counter that each tag has shown: a line each, UID and number.
struct SUNCounters {
  let path: String

  /// Takes note of `proof` once `told` has said it to somebody; fails with `refused` for a counter
  /// that is not higher than the one before.
  func take(_ proof: SUNProof, told: () -> Bool) throws(BenchError) {
    guard let uid = proof.uid, let counter = proof.counter else {
      throw BenchError(
        .refused, "The URL shows no UID or no counter, so nobody can tell whether it is a replay.")
    }
    var seen: [String: Int] = [:]
    if Files.exists(path) {
      let lines = String(decoding: try Files.read(path), as: UTF8.self).split(separator: "\n")
      for (index, line) in lines.enumerated() {
        let words = line.split(separator: " ")
        guard words.count == 2, let number = Int(words[1]) else {
          throw BenchError(.badInput, "\(path), line \(index + 1): a line has a UID and a number.")
        }
        seen[String(words[0])] = number
      }
    }
    if let last = seen[uid.hex], counter <= last {
      throw BenchError(
        .refused,
        "A replay: tag \(uid) has shown reading \(last) before, and this is reading \(counter).")
    }
    // A verdict whose counter cannot be kept is none.
    try save(seen)
    guard told() else { return }
    seen[uid.hex] = counter
    try save(seen)
  }

  private func save(_ seen: [String: Int]) throws(BenchError) {
    let text = seen.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)\n" }.joined()
    try Files.write(Array(text.utf8), to: path)
  }
}
