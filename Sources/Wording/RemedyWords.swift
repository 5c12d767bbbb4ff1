import TagMemory
import TagProgramming

extension Remedy {
  /// What to do, behind "Next:"; `asking` says how to ask for it, which then stands in brackets.
  public func sentence(_ asking: (Request) -> String?) -> String {
    func how(_ request: Request) -> String { asking(request).map { " (\($0))" } ?? "" }
    return switch self {
    case .presentTag: "lay a tag on the reader and run the same command again."
    case .layTagFlat: "lay the tag flat on the reader and run the same command again."
    case .leaveOneTag: "leave one tag on the reader and run the same command again."
    case .layOneRandomTag: "lay one tag on the reader and run the same command again."
    case .putTagBack: "put the tag back and run the same command again; it goes on from there."
    case .putFirstTagBack:
      "put the first tag back and run the same command again; the other one was not written."
    case .checkReader: "check the reader's cable and power, then run the same command again."
    case .useAnotherTag: "use another tag."
    case .useTagWithAllSectors: "use another tag where all sectors are needed."
    case .shortenMessage: "shorten the message or use a larger tag."
    case .useSupportedTag:
      "use a MIFARE Classic, a Type 2 tag such as an NTAG, a FeliCa Lite or Lite-S, or a Type 4 tag."
    case .useExpectedTag:
      "use a tag of that type, or say which type the tags are\(how(.sayType))."
    case .useTagOfDump: "use a tag of the dump's type."
    case .useTagWithKnownLocks: "use a chip whose lock bytes are known."
    case .useTagWithPassword: "use an NTAG21x or an Ultralight EV1, which have a password."
    case .useTagThatLocks: "use another tag where nothing may ever be written."
    case .useFeliCaLite:
      "use a FeliCa Lite or Lite-S, or a tag that its maker has formatted for NDEF."
    case .useLockableFeliCa: "use a FeliCa Lite or Lite-S where nothing may ever be written."
    case .useKeysProgram:
      "use another tag, or write this one with the program that gave it its key."
    case .useNDEFCard:
      "use a tag with an NDEF application, or a DESFire EV1, EV2 or EV3, which can get one."
    case .useLargerTag: "use a larger tag; the run goes on."
    case .layDownAgain: "lay it down again, flat and alone: it will be finished."

    case .runAgain: "run the same command again."
    case .runAgainOnTag: "run the same command on this tag again; it goes on from there."
    case .runAgainOnce: "run the same command again; if it fails again, use another tag."
    case .runAgainInDoubt(let place):
      "put the tag back and run the same command again. If it then reports data in \(place), that write was cut short: "
        + "let it be replaced\(how(.overwrite))."

    case .giveKey: "give the right key\(how(.giveKey)), or use another tag."
    case .giveWritingKey: "give the key that may change it, usually key B\(how(.giveKey))."
    case .givePassword: "give the password\(how(.givePassword))."
    case .giveRightPassword:
      "give the right password\(how(.givePassword)); tags may close for good after a few wrong ones."
    case .giveRightOrNewPassword:
      "give the right password\(how(.givePassword)); if an earlier run has set the new password already, give that one."
    case .permitOverwrite:
      "if what is on the tag may be lost, let it be replaced\(how(.overwrite))."
    case .permitForce: "if you mean it, force it\(how(.force))."
    case .permitGuessedSize(let byteCount):
      "use a tag of a known type, or force it to be formatted for \(byteCount) bytes\(how(.force))."
    case .useFirstDirectory: "use MAD1\(how(.firstDirectory))."
    case .useFirstSectors: "use MAD1\(how(.firstDirectory)), which needs sectors 1 to 15 only."
    case .formatMoreSectors:
      "let more of its sectors be formatted\(how(.moreSectors)), or shorten the message."
    case .leaveOutConfiguration(let leavesPage3):
      "restore the user memory only\(how(.leaveOutForce))\(leavesPage3 ? ", which leaves page 3 as it is" : ""), "
        + "or use another tag."
    case .leaveOutPage: "leave one of them out."

    case .writeMessageFirst(let isChoice):
      "write a message first, or write and lock at once\(how(.writeAndLock))"
        + (isChoice ? ", or force it to be locked as it is\(how(.force))." : ".")
    case .writeMessageElsewhere:
      "write the message again, into the other sectors, and lock it\(how(.writeAndLock))."
    case .rewriteMessage:
      "write the message again\(how(.writeMessage)), or, if it may be lost, let it be replaced\(how(.overwrite))."
    case .writeInstead(true):
      "write a message\(how(.writeMessage)): that formats a blank tag of this type."
    case .writeInstead(false): "write a message\(how(.writeMessage))."
    case .writeBlocksInstead:
      "write its blocks\(how(.writeBlocks)) or a message\(how(.writeMessage))."
    case .writePagesInstead:
      "write its pages\(how(.writePages)) or a message\(how(.writeMessage))."
    case .lockInstead: "make the tag read-only for good, where its chip can do that\(how(.lock))."
    case .formatFirst:
      "format the card first; a message can be written with it\(how(.formatWithMessage))."
    case .lockOrKeyInstead:
      "make the tag read-only for good\(how(.lock)), or give its trailers a key B of your own\(how(.ownKeyB))."
    case .formatAgain:
      "format the tag again\(how(.format)), which also marks what cannot be used."
    case .keepMessageInstead: "keep its message in a file\(how(.keepMessage))."
    case .readTagInfo:
      "see what locks and password the tag has\(how(.showTag)), or use another tag."
    case .correctDump: "correct the dump."
    case .correctAccessBits: "correct the access bits."
    case .startWithNextBlock: "start with block 1 or later."
    case .switchMirrorOff(let page):
      "use another tag, or switch the mirror off in its configuration\(page.map { " (\($0))" } ?? "")."
    case .removeProtection:
      "switch the protection off with a program that knows the key, or use another tag."

    case .sendTagCommands: "send the tag's own commands\(how(.sendTagCommands))."
    case .sendWithLength: "send it again with that Le\(how(.followLength))."
    case .correctCommand: "correct the command."
    case .correctFeliCaCommand:
      "correct the command, or see what locks and keys the tag has\(how(.showTag))."
    case .checkCommandAndPlace:
      "check that the tag knows the command, lay it flat on the reader and try again."
    case .checkCommand: "check that the tag knows the command and that it is allowed now."
    }
  }
}
