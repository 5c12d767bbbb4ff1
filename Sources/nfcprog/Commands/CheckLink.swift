import ArgumentParser
import TagProgramming
import UniversalLinks

struct CheckLink: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check-link",
    abstract: "Say whether a link on a tag wakes an app, and which rule decides.",
    discussion: """
      Exit status 0 when it wakes the app (any app, without --app-id), 65 when it does not or when that \
      is not shown, 75 when what devices get could not be asked. A file counts for the hosts of --domain or --entitlement. \
      iPhone XS, XR and later read tags by themselves.
      """)

  @Argument(help: "The link.")
  var url: String?

  @Flag(help: "Check what the tag on the reader holds.")
  var tag = false

  @OptionGroup var claim: ClaimOptions

  @OptionGroup var options: TagOptions

  func validate() throws {
    guard tag != (url != nil) else {
      throw ValidationError("Give either a URL or --tag.")
    }
  }

  func run() throws {
    let status = if let url { check(url) } else { checkTag() }
    if status != .success { throw ExitCode(status.rawValue) }
  }

  private var console: Console {
    Console(json: options.json, quiet: options.quiet, verbose: options.verbose)
  }

  private func check(_ url: String) -> ExitStatus {
    do throws(CommandFailure) {
      try options.requireOneReader()
      let check = try claim.load().checkWithSite(BackgroundReading(uri: url))
      return show(check, json: check.json)
    } catch {
      return console.fail("check-link", error)
    }
  }

  private func checkTag() -> ExitStatus {
    let claim: Claim
    do throws(CommandFailure) {
      try options.requireOneReader()
      claim = try self.claim.load()
    } catch {
      return console.fail("check-link", error)
    }
    return TagRun(command: "check-link", options: options).perform(.info) {
      report throws(CommandFailure) in
      guard let reading = BackgroundReading(report), let activation = report.activation else {
        throw CommandFailure(
          .badInput, "This type of tag is not known, so its message cannot be read.")
      }
      let check = try claim.checkWithSite(reading)
      return show(
        check, json: check.json(uid: activation.uid.hex, tag: report.product?.name ?? ""))
    }
  }

  private func show(_ check: LinkCheck, json: String) -> ExitStatus {
    if options.json { console.json(json) }
    if !(options.json && options.quiet) {
      console.result(console.styled(check.description, check.wakesApp ? .good : .bad))
      for line in check.explanation { console.result("  " + line) }
      if let hint = check.hint { console.result("  " + hint) }
      if check.wakesApp {
        console.result(
          "  An iPhone XS, XR or later reads the tag by itself, its screen on; older ones only within an app."
        )
      }
    }
    return check.status
  }
}
