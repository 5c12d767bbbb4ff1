import ArgumentParser
import TagMemory
import TagProgramming

/// The settings that a chip gets together with its password.
struct ChipSettingOptions: ParsableArguments {
  /// `--counter`.
  enum Switch: String, ExpressibleByArgument, CaseIterable { case on, off }

  @Option(
    help: ArgumentHelp(
      "AUTH0: the first page that needs the password (default: 2, with the lock bytes).",
      valueName: "page"))
  var auth0: Int?

  @Option(
    help: ArgumentHelp(
      "AUTHLIM: after so many wrong passwords in a row (1 to 7) nobody opens what is protected again, not even with the right one; 0: they are not counted.",
      valueName: "n"))
  var authlim: Int?

  @Option(
    help: ArgumentHelp(
      "Whether an NTAG213/215/216 counts its readings (info --count shows it).", valueName: "on|off"
    ))
  var counter: Switch?

  @Flag(
    help:
      "CFGLCK, once all is verified: nobody changes what the password protects, its limit, the counter or a mirror again. The password itself can be changed."
  )
  var freezeConfig = false

  func validate() throws {
    if let auth0, !(0...255).contains(auth0) {
      throw ValidationError("--auth0 takes the number of a page, such as 4.")
    }
    if let authlim, !(0...7).contains(authlim) {
      throw ValidationError("--authlim takes 1 to 7 wrong passwords in a row, or 0 for no limit.")
    }
  }

  var settings: ChipSettings {
    var settings = ChipSettings()
    settings.firstPage = auth0.flatMap(Page.init(exactly:))
    settings.attemptLimit = authlim
    settings.countsReads = counter.map { $0 == .on }
    settings.freezes = freezeConfig
    return settings
  }
}
