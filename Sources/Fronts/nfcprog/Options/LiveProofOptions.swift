import ArgumentParser
import Bench
import Bytes
import NDEF
import TagMemory
import Wording

/// How a board plays an NTAG 424 DNA that proves itself.
struct LiveProofOptions: ParsableArguments {
  @Flag(
    help:
      "Play an NTAG 424 DNA that proves itself: the URL has places, such as {picc} and {mac}. Needs --keys."
  )
  var sdm = false

  @Option(help: ArgumentHelp("The file with the tag's keys.", valueName: "file"))
  var keys: String?

  @Option(
    help: ArgumentHelp(
      "With --sdm: the UID in the URL, 14 digits (default: the first that these keys were used with, else a new one).",
      valueName: "hex", visibility: .hidden))
  var uid: String?

  @Flag(
    help: ArgumentHelp(
      "With --sdm: use LRP in place of AES; {picc} is 48 digits long then.", visibility: .hidden))
  var lrp = false

  @Option(
    help: ArgumentHelp(
      "With --sdm: write the tag's own keys to this file for a server; only you can read it.",
      valueName: "file", visibility: .hidden))
  var exportKeys: String?

  func validate() throws {
    guard !sdm || keys != nil else { throw ValidationError("--sdm needs --keys.") }
    guard sdm || (keys == nil && uid == nil && !lrp && exportKeys == nil) else {
      throw ValidationError("--keys, --uid, --lrp and --export-keys go with --sdm.")
    }
    guard keys != "-" else {
      throw ValidationError("--keys takes a file: the tag's counter is kept beside it.")
    }
    guard uid == nil || tag != nil else {
      throw ValidationError("--uid takes the 14 digits of a UID of 7 bytes.")
    }
  }

  private var tag: UID? {
    guard let uid, let bytes = try? Hex.bytes(uid), bytes.count == 7 else { return nil }
    return UID(bytes)
  }

  /// The rules of `write-url` for the link.
  private var proof: ProofOptions {
    var options = ProofOptions()
    (options.sdm, options.keys, options.oldKeys) = (sdm, keys, nil)
    (options.randomUid, options.lrp, options.watchLoop) = (false, lrp, false)
    return options
  }

  /// Returns what a tag shows that proves itself by `url`, a template; `message` makes the message
  /// of it once stand-ins are in its places. The file for a server is written here. Fails as
  /// `ProofOptions` and `CounterFile` do.
  func content(
    _ url: String, _ console: Console, _ consent: NamedFile.Consent,
    otherwise consequence: String, message: (String) throws(BenchError) -> Message,
    insist: (VaryingMessage) throws(BenchError) -> Void
  ) throws(BenchError) -> any LiveContent {
    guard !MirrorTemplate.isPresent(in: url) else {
      throw BenchError(
        .badInput,
        "A mirror, such as {mirror:uid}, is for an NTAG 21x, and --sdm for an NTAG 424 DNA. \(consequence)"
      )
    }
    // A pipe would be used up by a look at its keys.
    if let keys { try CounterFile.requireApart("--export-keys", exportKeys, fromKeys: keys) }
    let (address, personalisation) = try proof.expand(url)
    guard let personalisation, let keys else { throw BenchError(.usage, "--sdm needs --keys.") }
    let (ring, message) = (personalisation.keys, try message(address).serialize())
    let settings: SDMSettings
    do throws(SDMTemplateError) {
      let found = try SDMSettings(
        message: message, codeInput: personalisation.codeInput, keys: ring)
      guard var found else { throw .nothingMirrored }
      // A message without {picc} is the same for both.
      if found.picc == nil { found.usesLRP = lrp }
      settings = found
    } catch {
      throw BenchError(.badInput, "\(error.sentence) \(consequence)")
    }
    guard message.count + SDMSettings.lengthByteCount <= Self.fileByteCount else {
      throw BenchError(
        .badInput,
        "The message has \(message.count) bytes; an NTAG 424 DNA has room for \(Self.fileByteCount - SDMSettings.lengthByteCount). \(consequence)"
      )
    }
    let exported = try exportKeys.map { path throws(BenchError) in
      try NamedFile(path, consent)
    }
    let counters = try CounterFile(besideKeys: keys, tag: tag)
    try insist(VaryingMessage(message, provesItself: true, uid: counters.uid))
    if let exported {
      console.remark(try exported.write(server(ring, counters.uid), isSecret: true).sentence)
    }
    console.remark(
      "The links name the tag \(counters.uid). A telephone is shown another UID as it selects the board: 08 and three random bytes."
    )
    return ProvingContent(message, settings, keys: ring, counters)
  }

  /// That of an NTAG 424 DNA's message (NT4H2421Gx, 8.2.3).
  private static let fileByteCount = 256

  /// Returns what a server needs to check this tag.
  private func server(_ ring: KeyRing, _ uid: UID) -> [UInt8] {
    var keys = ServerKeys(
      [(uid, ring.key(ring.fileRead, of: uid), ring.key(ring.metaRead, of: uid))],
      shared: ring.sharedMetaKey)
    (keys.version, keys.metaRead, keys.fileRead) = (ring.version, ring.metaRead, ring.fileRead)
    let lines = ["# For a server that checks tags: Docs/AuthenticTags.md."] + keys.lines
    return Array((lines.joined(separator: "\n") + "\n").utf8)
  }
}
