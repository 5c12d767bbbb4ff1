import PN532

/// How much is taken for granted: all of it in the first pass over a tag, less in each pass after a
/// failure.
///
/// What the manuals allow is not what every board does: some chips answer long commands short or
/// not at all, copied tags are slow, and a wire may carry short frames only. Each costs the first
/// pass, and is met in the next one.
struct Care {
  /// How long the chip waits for a tag's answer (UM0701-02, 7.3.1, item 2). 12.8 ms cover the 10 ms
  /// of a MIFARE Classic WRITE (MF1S50YYX_V1, 9.1) and make a missing tag cheap; 51.2 ms, the
  /// chip's own default, are for slow tags.
  private(set) var patience = RFTimeout(atLeast: .milliseconds(12))
  /// The most pages that one FAST_READ asks for; 4 where READ is sent in its place, which carries
  /// as many.
  private(set) var fastReadLimit = TagReader.fastReadLimit
  /// What a FAST_READ failed by since the last change.
  private var fastReadFailure: ReaderError?
  /// How often the line has failed.
  private var lineFailures = 0

  init() {}

  /// What a board is met with whose limits are known.
  init(fastReadPages: Int?, hasSlowTags: Bool) {
    if let fastReadPages {
      fastReadLimit = max(Self.readPages, min(fastReadLimit, fastReadPages))
    }
    if hasSlowTags { patience = .communicationDefault }
  }

  /// Is true if the line is to be slowed down: one lost frame says nothing of it, a second one
  /// does.
  var distrustsLine: Bool { lineFailures > 1 }

  /// Takes note that a FAST_READ failed by `error`, which says nothing of the tag yet.
  mutating func note(fastReadFailure error: ReaderError) { fastReadFailure = error }

  /// A pass has failed, by `error` where an exchange ended it.
  mutating func increase(after error: ReaderError?) {
    patience = .communicationDefault
    switch error {
    case .boardSilent?, .boardGarbled?: lineFailures += 1
    default: break
    }
    switch fastReadFailure {
    case nil: break
    // Too much for the chip or the wire, or no byte of all that was asked for: 12 pages make a
    // frame of 59 bytes.
    case .exchangeFailed(.dataFormat)?, .exchangeFailed(.bufferTooSmall)?,
      .exchangeFailed(.rfBufferOverflow)?,
      .exchangeFailed(.internalOverflow)?, .wrongAnswerLength?, .boardSilent?, .boardGarbled?:
      fastReadLimit = fastReadLimit > Self.fewPages ? Self.fewPages : Self.readPages
    // The tag was not heard, or does not know the command.
    default: fastReadLimit = Self.readPages
    }
    fastReadFailure = nil
  }

  private static let fewPages = 12
  private static let readPages = 4
}

extension TagReader {
  /// A pass over the tag has failed, by `error` where an exchange ended it: the next asks for less
  /// and waits longer.
  package func takeMoreCare(after error: ReaderError?) {
    care.increase(after: error)
    if care.distrustsLine { link.slowDown() }
  }

  /// The next tag is met as every first one: nothing is held against it.
  package func forgetCare() { care = usualCare }

  /// Asks from the start for less at a time, and waits longer, as this board needs it: at most
  /// `fastReadPages` in one FAST_READ (4 or less: READ in its place), 51.2 ms for `hasSlowTags`.
  package func limit(fastReadPages: Int?, hasSlowTags: Bool) {
    usualCare = Care(fastReadPages: fastReadPages, hasSlowTags: hasSlowTags)
    care = usualCare
  }
}
