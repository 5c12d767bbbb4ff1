import TagMemory

@testable import TagProgramming

extension Examples {
  private static let page5 = Holds.Torn(place: .page(5), soleCopy: nil)
  private static let block1 = Holds.Torn(
    place: .block(1), soleCopy: [0x0E, 0x01] + [UInt8](repeating: 3, count: 14))

  static let progress: [Holds.Progress] = [
    .allWritten, .notAllStored, .messageDiffers, .messageWithdrawn, .allBefore, .oldMessage,
    .halfDirectory, .emptyMessage(2, of: 6), .notFormatted,
    .noMessage, .newMessage(5, of: 6),
    .sectorsFormatted(3, of: 16), .sectorsReset(3, of: 16), .dump(5, of: 40),
    .keys(1, of: 6, followsMessage: true), .keys(0, of: 1, followsMessage: false),
    .password(1, of: 3, followsMessage: true), .password(1, of: 3, followsMessage: false),
    .locks(1, of: 3, followsMessage: true), .locks(1, of: 3, followsMessage: false),
    .writes(2, of: 6),
  ]

  static let holds: [Holds] =
    [
      .unchanged, .notKnown,
      .messageBelowMirror, .othersReset,
      .putBack(asDelivered: [1, 2, 3], erased: [4], withKeys: []),
      .putBack(asDelivered: [], erased: [], withKeys: [5]), .passwordCounted(limit: nil),
      .passwordCounted(limit: 1),
      .passwordCounted(limit: 3),
    ] + progress.map { .stopped(writing: nil, $0) } + [
      .stopped(writing: page5, .allBefore), .stopped(writing: block1, .oldMessage),
    ]

  static let remedies: [Remedy] = [
    .presentTag, .layTagFlat, .leaveOneTag, .layOneRandomTag, .putTagBack, .putFirstTagBack,
    .checkReader, .useAnotherTag, .useTagWithAllSectors, .shortenMessage, .useSupportedTag,
    .useTagOfDump, .useTagWithKnownLocks, .useTagWithPassword, .useTagThatLocks, .useFeliCaLite,
    .useLockableFeliCa, .useKeysProgram, .useLargerTag,
    .layDownAgain, .runAgain, .runAgainOnTag, .runAgainOnce, .runAgainInDoubt(.page(5)),
    .runAgainInDoubt(.block(4)), .giveKey, .giveApplicationKey, .giveProofKeys, .giveHeldKeys,
    .allowLRP,
    .watchLoop,
    .giveWritingKey, .givePassword, .giveOtherSecret, .runWithoutDryRun,
    .giveRightPassword,
    .giveNewPasswordOrRemove, .sayLimit, .permitOverwrite, .permitForce,
    .permitGuessedSize(byteCount: 144),
    .useFirstDirectory, .useFirstSectors, .leaveOutConfiguration(leavesPage3: true),
    .leaveOutConfiguration(leavesPage3: false), .leaveOutPage, .writeMessageFirst(isChoice: true),
    .writeMessageFirst(isChoice: false), .writeMessageElsewhere, .rewriteMessage,
    .writeInstead(formats: true), .writeInstead(formats: false), .lockOrKeyInstead,
    .formatMoreSectors, .writeBlocksInstead, .writePagesInstead, .correctAccessBits,
    .correctFeliCaCommand,
    .startWithNextBlock, .startWithUserMemory, .stayWithinMemory, .formatAgain, .keepMessageInstead,
    .readTagInfo,
    .correctDump, .compareWithTrace, .sendTagCommands,
    .sendWithLength, .correctCommand, .checkCommandAndPlace, .checkCommand,
    .useNDEFCard, .useExpectedTag, .lockInstead, .formatFirst,
  ]
}
