import TagMemory
import TagProgramming

extension Remedy {
  /// Returns what a person is to do, as it stands behind "Next:". `asking` gives the option for a
  /// request, which then stands in brackets, and the words for doing the same once more.
  package func sentence(_ asking: (Request) -> String?) -> String {
    func how(_ request: Request) -> String { asking(request).map { " (\($0))" } ?? "" }
    let same = asking(.same) ?? "do the same"
    return switch self {
    case .presentTag: "put a tag on the reader and \(same) again."
    case .layTagFlat: "put the tag flat on the reader and \(same) again."
    case .leaveOneTag: "leave one tag on the reader and \(same) again."
    case .layOneRandomTag: "put one tag on the reader and \(same) again."
    case .putTagBack: "put the tag back and \(same) again to continue."
    case .putFirstTagBack:
      "put the first tag back and \(same) again; the other one was not written."
    case .checkReader: "check the reader's cable and power, then \(same) again."
    case .useAnotherTag: "use another tag."
    case .useTagWithAllSectors: "use another tag if you need all sectors."
    case .shortenMessage: "shorten the message or use a larger tag."
    case .useSupportedTag:
      "use a MIFARE Classic, a Type 2 tag such as an NTAG, a FeliCa Lite or Lite-S, or a Type 4 tag."
    case .useExpectedTag:
      "use a tag of that type, or give the type of the tags\(how(.sayType))."
    case .useTagOfDump: "use a tag of the dump's type."
    case .useTagWithKnownLocks: "use a chip whose lock bytes are known."
    case .useTagWithPassword:
      "use an NTAG21x or an Ultralight EV1, which have a password, or an Ultralight C or AES, which has a key."
    case .useTagThatLocks: "use another tag if it must become read-only."
    case .useFeliCaLite:
      "use a FeliCa Lite or Lite-S, or a tag that its maker has formatted for NDEF."
    case .useLockableFeliCa: "use a FeliCa Lite or Lite-S if the tag must become read-only."
    case .useKeysProgram:
      "use another tag, or write this one with the program that gave it its key."
    case .useNDEFCard:
      "use a tag with an NDEF application, or a DESFire EV1, EV2 or EV3, which can get one."
    case .useLargerTag: "use a larger tag; the run goes on."
    case .layDownAgain: "put it on the reader again, flat and alone; the run finishes it."

    case .runAgain: "\(same) again."
    case .runAgainOnTag: "\(same) on this tag again to continue."
    case .runAgainOnce: "\(same) again; if it fails again, use another tag."
    case .runAgainInDoubt(let place):
      "put the tag back and \(same) again. If it then reports data in \(place), an interrupted write left it: "
        + "replace it\(how(.overwrite))."

    case .giveKey: "give the right key\(how(.giveKey)), or use another tag."
    case .giveApplicationKey: "give it a key of its own\(how(.applicationKey))."
    case .giveProofKeys:
      "give the file with its keys\(how(.giveProofKeys)), or use another tag."
    case .giveHeldKeys:
      "give the file with the keys that the tag has\(how(.giveHeldKeys)), or use another tag."
    case .allowLRP: "write it for LRP\(how(.allowLRP)), or use another tag."
    case .watchLoop:
      "let the tag watch its loop, permanently\(how(.watchLoop)), or take {tt} out of the URL."
    case .giveWritingKey: "give the key that may change it, usually key B\(how(.giveKey))."
    case .givePassword:
      "give the password\(how(.givePassword)). A forgotten one can be neither read nor reset: then use another tag."
    case .giveOtherSecret: "choose another password or key."
    case .runWithoutDryRun:
      "\(asking(.same) == nil ? "do it" : "run the command") without a dry run; give a password only if you know that it is right."
    case .giveRightPassword:
      "give the right password\(how(.givePassword)); a tag may lock permanently after a few wrong passwords."
    case .giveNewPasswordOrRemove:
      "if an earlier run has already set the new password, give that one\(how(.givePassword)); otherwise remove the tag's password first\(how(.removePassword)), then set the new one."
    case .sayLimit: "say which limit the tag should have\(how(.sayLimit))."
    case .permitOverwrite:
      "if the data on the tag can be lost, replace it\(how(.overwrite))."
    case .permitForce: "if you are sure, force it\(how(.force))."
    case .permitGuessedSize(let byteCount):
      "use a tag of a known type, or force formatting for \(byteCount) bytes\(how(.force))."
    case .useFirstDirectory: "use MAD1\(how(.firstDirectory))."
    case .useFirstSectors: "use MAD1\(how(.firstDirectory)), which needs sectors 1 to 15 only."
    case .formatMoreSectors:
      "format more of its sectors\(how(.moreSectors)), or shorten the message."
    case .leaveOutConfiguration(let leavesPage3):
      "restore only the user memory\(how(.leaveOutForce))\(leavesPage3 ? " (page 3 does not change)" : ""), "
        + "or use another tag."
    case .leaveOutPage: "leave one of them out."

    case .writeMessageFirst(let isChoice):
      "write a message first, or write and lock at once\(how(.writeAndLock))"
        + (isChoice ? ", or force it to be locked as it is\(how(.force))." : ".")
    case .writeMessageElsewhere:
      "write the message again, into the other sectors, and lock it\(how(.writeAndLock))."
    case .rewriteMessage:
      "write the message again\(how(.writeMessage)), or, if the data can be lost, replace it\(how(.overwrite))."
    case .writeInstead(true):
      "write a message\(how(.writeMessage)): that formats a blank tag of this type."
    case .writeInstead(false): "write a message\(how(.writeMessage))."
    case .writeBlocksInstead:
      "write its blocks\(how(.writeBlocks)) or a message\(how(.writeMessage))."
    case .writePagesInstead:
      "write its pages\(how(.writePages)) or a message\(how(.writeMessage))."
    case .lockInstead: "make the tag permanently read-only, if its chip can do that\(how(.lock))."
    case .formatFirst:
      "format the card first; a message can be written in the same run\(how(.formatWithMessage))."
    case .lockOrKeyInstead:
      "make the tag permanently read-only\(how(.lock)), or give its trailers a key B of your own\(how(.ownKeyB))."
    case .formatAgain:
      "format the tag again\(how(.format)), which also marks the damaged sectors."
    case .keepMessageInstead: "save its message to a file\(how(.keepMessage))."
    case .readTagInfo:
      "look up the tag's locks and password\(how(.showTag)), or use another tag."
    case .correctDump: "correct the dump."
    case .correctAccessBits: "correct the access bits."
    case .startWithNextBlock: "start with block 1 or later."
    case .startWithUserMemory: "start with page 4 or later."
    case .stayWithinMemory: "give fewer bytes or a lower number, or use a larger tag."
    case .compareWithTrace: "see where this run parts from the trace\(how(.compareWithTrace))."
    case .sendTagCommands: "send the tag's own commands\(how(.sendTagCommands))."
    case .sendWithLength: "send it again with that Le\(how(.followLength))."
    case .correctCommand: "correct the command."
    case .correctFeliCaCommand:
      "correct the command, or look up the tag's locks and keys\(how(.showTag))."
    case .checkCommandAndPlace:
      "check that the tag has this command, put it flat on the reader and try again."
    case .checkCommand: "check that the tag has this command and allows it now."
    }
  }
}
