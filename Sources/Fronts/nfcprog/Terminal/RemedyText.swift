import Bench
import LibNFCReaders
import TagProgramming
import Wording

/// How the command line is asked for what a remedy needs.
enum RemedyText {
  static func option(for request: Request) -> String? {
    switch request {
    case .same: "run the same command"
    case .giveKey: "--key"
    case .givePassword: "--password"
    case .removePassword: "unprotect"
    case .sayLimit: "protect --authlim"
    case .overwrite: "--overwrite"
    case .force: "--force"
    case .leaveOutForce: "without --force"
    case .firstDirectory: "--mad 1"
    case .moreSectors: "--sectors fewest or --sectors all"
    case .format: "format-classic"
    case .formatWithMessage: "format-type4 --url URL"
    case .writeBlocks: "write-blocks"
    case .writePages: "write-pages"
    case .writeMessage: "write-url or write"
    case .writeAndLock: "write-url URL --lock"
    case .lock: "lock"
    case .ownKeyB: "format-classic --key-b"
    case .applicationKey: "format-type4 --new-key FILE"
    case .giveProofKeys: "write-url URL --sdm --keys FILE, or reset-sdm --keys FILE first"
    case .giveHeldKeys: "--keys of reset-sdm, --old-keys where the tag gets new ones"
    case .allowLRP: "--lrp"
    case .watchLoop: "--watch-loop"
    case .keepMessage: "read --raw FILE"
    case .showTag: "nfcprog info"
    case .sayType: "--tag TYPE"
    case .sendTagCommands: "transceive"
    case .compareWithTrace: "--trace OTHER, then nfcprog trace FILE --compare OTHER"
    case .followLength: "--follow"
    }
  }
}

extension RemedyText {
  /// What to do next after a failure, with the options of this program.
  static func sentence(_ remedy: BenchError.Remedy) -> String {
    switch remedy {
    case .nameReader: "Name one with --reader or NFCPROG_READER."
    case .checkReader: "`nfcprog readers --check` finds out why."
    case .installReaderRule: "`nfcprog readers --udev-rules` prints the rule."
    case .nameDomain: "--domain takes the name of a domain, such as example.com."
    case .placeAssociation:
      "Give --domain DOMAIN or --entitlement LINE, or use --assume-served to assume it."
    case .addApplicationRecord(let package, let byteCount):
      "An application record behind the link names the app and needs \(byteCount) bytes more: write-url URL --android-app \(package)."
    case .copyAnyContent: "Use --any-content to copy it anyway."
    case .giveTemplate(let template): "Give one, such as --template '\(template)'."
    case .extendList: "Use --extend to take up the added rows."
    case .startOver: "Use --start-over for that."
    case .correctList: "Use --corrected to take up corrected rows that are on no tag yet."
    case .takeUpLostBatch:
      "Use --restored to continue that batch, so that no job goes on two tags, or --start-over to put all jobs on new tags."
    }
  }
}

extension Obstacle {
  /// What to run or to do, with the options of this program.
  var advice: String? {
    switch self {
    case .noPermission where remedy == Self.ruleAdvice:
      "nfcprog readers --udev-rules | sudo tee /etc/udev/rules.d/60-nfcprog.rules && sudo udevadm control --reload, "
        + "then plug the reader in again"
    case .lostAt: remedy.map { $0 + " (--baud 115200)" }
    case .unchecked(let connection):
      "nfcprog readers --check \(connection), if a reader is connected to it"
    default: remedy
    }
  }
}

extension JobFailure {
  /// What to do next, with the options that ask for it.
  var next: String? { next(RemedyText.option) }

  /// All of it in one line.
  var message: String { message(RemedyText.option) }
}
