import TagMemory

/// What kept a job from ending as wanted on a Type 3 tag.
package enum FeliCaCause: Hashable, Sendable {
  /// The tag has no attribute block, and is no FeliCa Lite, which could get one.
  case notFormatted
  /// The tag does not answer to the system code of NDEF, and is no FeliCa Lite, which could be made
  /// to.
  case notNDEF(Product)
  /// The memory configuration is closed permanently, and says that the tag is no NDEF tag.
  case closedWithoutNDEF
  /// The attribute block allows no writing.
  case readOnly
  /// These blocks are locked for good, and the job writes them.
  case locked([UInt16])
  /// These blocks are written with the tag's card key alone.
  case cardKeyNeeded([UInt16])
  /// These blocks are read with the tag's card key alone.
  case cardKeyToRead([UInt16])
  /// These blocks can never be locked: the memory configuration is closed permanently.
  case openForGood([UInt16])
  /// No command locks this tag for good.
  case notLockable(Product)
  /// This block holds data; `declaresNDEF`: the tag says that it is NDEF.
  case notBlank(UInt16, declaresNDEF: Bool)
  /// The dump is not of a FeliCa Lite or Lite-S, or this tag is none.
  case dumpOfOtherType(Product)
  /// These blocks are closed to writing, and a restored dump would change them.
  case closed([UInt16])
  /// The whole memory of this tag cannot be read.
  case notDumpable(Product)
  /// A block does not hold what this run has written, and no further write of the job puts it
  /// right.
  case blockDiffers(UInt16, found: [UInt8], wanted: [UInt8])
  /// This tag has no password that could be set; `hasCardKey`: it has a key, which is not set here.
  case noPassword(Product, hasCardKey: Bool)
  /// The job is for another family of tags.
  case otherFamily(Product)
  /// The memory configuration was not read.
  case notRead

  var kind: JobFailure.Kind {
    switch self {
    case .notLockable, .dumpOfOtherType, .notDumpable, .noPassword, .otherFamily: .badInput
    case .blockDiffers: .mismatch
    case .notRead: .internalError
    case .notFormatted, .notNDEF, .closedWithoutNDEF, .readOnly, .locked, .cardKeyNeeded,
      .cardKeyToRead, .openForGood, .notBlank, .closed:
      .refused
    }
  }
}
