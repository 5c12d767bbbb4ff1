import ArgumentParser
import BenchKit
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

  @Option(help: ArgumentHelp("The file with the keys that the tags get.", valueName: "file"))
  var keys: String?

  @Option(
    help: ArgumentHelp(
      "The file with the keys that they have; otherwise those of delivery.", valueName: "file"))
  var oldKeys: String?

  @Flag(help: "With --sdm: show a different random UID at each reading, permanently.")
  var randomUid = false

  func validate() throws {
    guard !sdm || keys != nil else { throw ValidationError("--sdm needs --keys.") }
    guard sdm || (keys == nil && oldKeys == nil && !randomUid) else {
      throw ValidationError("--keys, --old-keys and --random-uid go with --sdm.")
    }
  }

  /// Whether `text` has places that a tag fills in.
  func isTemplate(_ text: String) -> Bool { SDMTemplate.isPresent(in: text) }

  /// `text` with stand-ins in the places, and what they are for; nothing of it without `--sdm`.
  /// Files are read here.
  func expand(_ text: String) throws(BenchError) -> (
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
      expanded = try SDMTemplate.expand(text)
    } catch {
      throw BenchError(.badInput, error.sentence)
    }
    return (expanded.text, try personalisation(keys, expanded.codeInput))
  }

  /// For a message that has its stand-ins already; nil without `--sdm`. Files are read here.
  func personalisation() throws(BenchError) -> Personalisation? {
    guard sdm, let keys else { return nil }
    return try personalisation(keys, .empty)
  }

  private func personalisation(_ keys: String, _ input: SDMTemplate.CodeInput) throws(BenchError)
    -> Personalisation
  {
    var personalisation = Personalisation(keys: try KeyRings.read(keys), codeInput: input)
    if let oldKeys { personalisation.before = try KeyRings.read(oldKeys) }
    personalisation.randomUID = randomUid
    return personalisation
  }
}

/// Files with the keys of a series.
enum KeyRings {
  /// Reads and checks one. Fails with `badInput` for a file that others may read, and says no line
  /// of it.
  static func read(_ path: String) throws(BenchError) -> KeyRing {
    try Files.requireSecret(path)
    let text = String(decoding: try Files.read(path), as: UTF8.self)
    do throws(KeyRingFile.FormatError) {
      return try KeyRingFile.parse(text)
    } catch {
      let place = error.line == 0 ? path : "\(path), line \(error.line)"
      throw BenchError(.badInput, "\(place): \(error.description)")
    }
  }
}
