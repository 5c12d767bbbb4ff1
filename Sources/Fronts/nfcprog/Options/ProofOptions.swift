import ArgumentParser
import Bench
import TagMemory
import TagProgramming
import Wording

/// How an NTAG 424 DNA comes to prove itself by its message.
struct ProofOptions: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      "Make an NTAG 424 DNA prove itself: the URL has places that it fills in as it is read.",
      discussion:
        "{picc}: UID and counter encrypted; {mac}: the code that proves them; {uid}, {counter}: plain text; {enc:TEXT}: TEXT encrypted. See Docs/AuthenticTags.md. Needs --keys."
    ))
  var sdm = false

  @Option(
    help: ArgumentHelp(
      "The file with the keys that the tags get. In provision also column:NAME: each row's own, from the columns NAME0 to NAME4, or from five that are named.",
      valueName: "file"))
  var keys: String?

  @Option(
    help: ArgumentHelp(
      "The file with the keys that they have; otherwise those of delivery. In provision also column:NAME, as --keys, where the column uid names each row's tag.",
      valueName: "file"))
  var oldKeys: String?

  @Flag(help: "With --sdm: show a different random UID at each reading, permanently.")
  var randomUid = false

  @Flag(help: "With --sdm: use LRP in place of AES, permanently; {picc} is 48 digits long then.")
  var lrp = false

  @Flag(
    help:
      "With --sdm: let an NTAG 424 DNA TagTamper watch its loop, permanently; {tt} shows its state."
  )
  var watchLoop = false

  func validate() throws {
    guard !sdm || keys != nil else { throw ValidationError("--sdm needs --keys.") }
    guard sdm || (keys == nil && oldKeys == nil) else {
      throw ValidationError("--keys and --old-keys go with --sdm.")
    }
    guard sdm || !(randomUid || lrp || watchLoop) else {
      throw ValidationError("--random-uid, --lrp and --watch-loop go with --sdm.")
    }
  }

  /// Returns whether `text` has places that a tag fills in.
  func isTemplate(_ text: String) -> Bool { SDMTemplate.isPresent(in: text) }

  /// `text` with stand-ins in the places, and what they are for; nothing of it without `--sdm`.
  /// Files are read here.
  /// `hasList`: keys may come from the columns of a list.
  func expand(_ text: String, hasList: Bool = false) throws(BenchError) -> (
    text: String, personalisation: Personalisation?
  ) {
    guard sdm, let keys else { return (text, nil) }
    guard text.contains("{mac") else {
      throw BenchError(
        .badInput,
        "The URL has no {mac}, the code that proves the rest. Add it, or leave --sdm out. Nothing was written."
      )
    }
    let expanded: (text: String, codeInput: SDMTemplate.CodeInput)
    do throws(SDMTemplateError) {
      guard SDMTemplate.isPresent(in: text) else { throw .nothingMirrored }
      expanded = try SDMTemplate.expand(text, usesLRP: lrp)
    } catch {
      throw BenchError(.badInput, error.sentence)
    }
    let personalisation = try personalisation(keys, expanded.codeInput, hasList: hasList)
    do throws(SDMTemplateError) {
      try SDMTemplate.requireUID(in: text, for: personalisation.keys)
    } catch {
      throw BenchError(.badInput, error.sentence)
    }
    return (expanded.text, personalisation)
  }

  /// For a message that has its stand-ins already; nil without `--sdm`. Files are read here.
  func personalisation() throws(BenchError) -> Personalisation? {
    guard sdm, let keys else { return nil }
    return try personalisation(keys, .empty)
  }

  /// The columns of a list that keys 0 to 4 stand in, where `--keys` names some; none otherwise.
  func keyColumns() throws(BenchError) -> [String] { try columns(keys, "--keys") }

  /// Those of `--old-keys`.
  func oldKeyColumns() throws(BenchError) -> [String] { try columns(oldKeys, "--old-keys") }

  private func columns(_ keys: String?, _ option: String) throws(BenchError) -> [String] {
    guard let keys, keys.hasPrefix(KeyRings.columnPrefix) else { return [] }
    guard !randomUid else {
      throw BenchError(
        .usage,
        "--random-uid goes with keys that follow from a master: without a key that all tags share nobody can tell which tag it is."
      )
    }
    let names = keys.dropFirst(KeyRings.columnPrefix.count)
      .split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    switch (names.count, names.allSatisfy { !$0.isEmpty }) {
    case (1, true): return KeyRing.keyNumbers.map { names[0] + "\($0)" }
    case (KeyRing.keyNumbers.count, true): return names
    default:
      throw BenchError(
        .usage, "\(option) column: takes one name, or five of them with commas in between.")
    }
  }

  private func personalisation(
    _ keys: String, _ input: SDMTemplate.CodeInput, hasList: Bool = false
  ) throws(BenchError) -> Personalisation {
    let columns = hasList ? try keyColumns() : []
    let ring =
      columns.isEmpty ? try KeyRings.read(keys) : KeyRing(.list([], columns: columns))
    var personalisation = Personalisation(keys: ring, codeInput: input)
    let oldColumns = hasList ? try oldKeyColumns() : []
    if !oldColumns.isEmpty {
      // Which version they have is not known: a trial tells what a tag holds.
      personalisation.before = KeyRing(.list([], columns: oldColumns), version: 0)
    } else if let oldKeys {
      personalisation.before = try KeyRings.read(oldKeys)
    }
    personalisation.randomUID = randomUid
    (personalisation.usesLRP, personalisation.watchesTamperLoop) = (lrp, watchLoop)
    return personalisation
  }
}

/// Files with the keys of a series.
enum KeyRings {
  /// What stands before the names of columns, in place of a file.
  static let columnPrefix = "column:"

  /// Reads and checks one. Fails with `badInput` for a file that others may read, and says no line
  /// of it.
  static func read(_ path: String) throws(BenchError) -> KeyRing {
    try parse(path, KeyRingFile.parse)
  }

  /// Reads and checks a key file that readings are checked with: also one that `--export-keys` has
  /// made. Fails with `badInput` for a file that others may read, and says no line of it.
  static func readForProofs(_ path: String) throws(BenchError) -> any ProofKeys {
    try parse(path) { text throws(KeyRingFile.FormatError) -> any ProofKeys in
      if let keys = try ServerKeys(parsing: text) { return keys }
      return try KeyRingFile.parse(text)
    }
  }

  private static func parse<Keys>(
    _ path: String, _ keys: (String) throws(KeyRingFile.FormatError) -> Keys
  ) throws(BenchError) -> Keys {
    guard !path.hasPrefix(columnPrefix) else {
      throw BenchError(
        .usage,
        "Keys from a list's columns go with provision. Give a file; for verify-sun, provision --export-keys writes it."
      )
    }
    try Files.requireSecret(path)
    let text = String(decoding: try Files.read(path), as: UTF8.self)
    do throws(KeyRingFile.FormatError) {
      return try keys(text)
    } catch {
      let place = error.line == 0 ? path : "\(path), line \(error.line)"
      throw BenchError(.badInput, "\(place): \(error.description)")
    }
  }
}
