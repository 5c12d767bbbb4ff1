import TagMemory

/// What a person can do about a failure. Whoever shows it adds how to ask for it, as by an option
/// of a command line.
package enum Remedy: Hashable, Sendable {
  // MARK: With the hands

  /// No tag lay there.
  case presentTag
  /// The tag's answers were damaged.
  case layTagFlat
  /// Several tags lay there.
  case leaveOneTag
  /// Tags with random UIDs cannot be told apart.
  case layOneRandomTag
  /// The tag is gone.
  case putTagBack
  /// Another tag lies there, which was not written.
  case putFirstTagBack
  /// The reader does not answer.
  case checkReader
  case useAnotherTag
  /// One whose sectors are all needed.
  case useTagWithAllSectors
  /// The tag's memory is too small.
  case shortenMessage
  /// One that this program knows.
  case useSupportedTag
  /// One of the type that the tags are said to be of, or another word for the tags.
  case useExpectedTag
  /// One of the type that the dump is of.
  case useTagOfDump
  /// One whose lock bytes are known.
  case useTagWithKnownLocks
  /// One that has a password.
  case useTagWithPassword
  /// One that has no page or block which can never be locked.
  case useTagThatLocks
  /// A FeliCa Lite or Lite-S, which can be formatted.
  case useFeliCaLite
  /// A FeliCa Lite or Lite-S, which can be locked for good.
  case useLockableFeliCa
  /// Another tag, or the program that gave this one its key.
  case useKeysProgram
  /// A card with an NDEF application, or one that gets it here.
  case useNDEFCard

  /// In a run over many tags: the message is the same for all of them.
  case useLargerTag
  /// In a run over many tags: whichever comes is programmed, and what was done counts.
  case layDownAgain

  // MARK: The same command again

  case runAgain
  /// With the same tag: what was done counts.
  case runAgainOnTag
  /// The second failure tells a bad tag.
  case runAgainOnce
  /// If the same command then takes what is in `place` for somebody's data, it was damaged by the
  /// write that was cut short, and may be replaced.
  case runAgainInDoubt(Place)

  // MARK: The command with something else

  /// The key that opens the sectors.
  case giveKey
  /// A key of its own for the NDEF application of a DESFire.
  case giveApplicationKey
  /// The keys of an NTAG 424 DNA, for a message that proves it or for a reset.
  case giveProofKeys
  /// The keys that an NTAG 424 DNA has.
  case giveHeldKeys
  /// The operator's word that an NTAG 424 DNA uses LRP, for ever.
  case allowLRP
  /// The operator's word that a TagTamper watches its loop, for ever.
  case watchLoop
  /// A key that may change the sectors, usually key B.
  case giveWritingKey
  case givePassword
  /// Another one than the one of delivery.
  case giveOtherSecret
  /// What a dry run leaves out is found out by the run.
  case runWithoutDryRun
  /// Tags may close for good after a few wrong ones.
  case giveRightPassword
  /// An earlier run may have set the new password already; else the tag's own goes first, in a job
  /// that sets none.
  case giveNewPasswordOrRemove
  /// The limit of wrong passwords that the tag is to have.
  case sayLimit
  /// The operator's word that what is on the tag may be lost.
  case permitOverwrite
  /// The operator's word that pages other than user memory are meant.
  case permitForce
  /// The operator's word that a chip of unknown size is to be formatted for so many bytes.
  case permitGuessedSize(byteCount: Int)
  /// MAD1, or whichever fits.
  case useFirstDirectory
  /// MAD1: sectors 1 to 15 only.
  case useFirstSectors
  /// Sectors that are not formatted yet make room.
  case formatMoreSectors
  /// A dump without capability container, locks and configuration.
  case leaveOutConfiguration(leavesPage3: Bool)
  /// One of the pages that close each other.
  case leaveOutPage

  // MARK: Another command

  /// Locking comes after; `isChoice`: or as it is, with the operator's leave.
  case writeMessageFirst(isChoice: Bool)
  /// The message goes into the sectors that are left.
  case writeMessageElsewhere
  /// The message again, or give it up.
  case rewriteMessage
  /// A blank tag of this family is formatted by writing to it.
  case writeInstead(formats: Bool)
  /// A MIFARE Classic has blocks where others have pages.
  case writeBlocksInstead
  /// A Type 2 tag has pages where a MIFARE Classic has blocks.
  case writePagesInstead
  /// A tag without a password can still be made read-only.
  case lockInstead
  /// Locks, and a key B of one's own.
  case lockOrKeyInstead
  /// A blank DESFire gets its NDEF application first.
  case formatFirst
  /// Formatting repairs a directory, and leaves out what cannot be used.
  case formatAgain
  /// Its message can be kept in a file.
  case keepMessageInstead
  /// A board that answers from a trace gives the same answers to the same command: see where this
  /// run parts from that one.
  case compareWithTrace
  /// See what locks and passwords the tag has.
  case readTagInfo
  case correctDump
  case correctAccessBits
  /// Block 0 can never be written.
  case startWithNextBlock
  /// Pages 0 and 1 can never be written.
  case startWithUserMemory
  /// The pages or blocks are behind the tag's last.
  case stayWithinMemory

  // MARK: Commands of one's own

  /// The tag's own commands in place of APDUs.
  case sendTagCommands
  /// Send the command again with the length that the tag told.
  case sendWithLength
  case correctCommand
  /// Locks and keys may forbid it.
  case correctFeliCaCommand
  /// The tag may not know it.
  case checkCommandAndPlace
  /// It may not know it, or not allow it now.
  case checkCommand
}
