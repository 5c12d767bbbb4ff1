import Readers
import TagMemory

/// Tags whose type the operator has told.
extension Type2Family {
  /// The product that is expected, where the tag shows it in what is read anyway, or with one READ;
  /// nil where it has to be asked. An earlier pass that failed may have failed by that.
  static func expectedIdentity(of session: Type2Session, _ pass: PassContext) throws(Setback)
    -> TagIdentity?
  {
    guard !pass.isThorough, let expectation = Type2Expectation(pass.options.expected) else {
      return nil
    }
    let isBorneOut = try surveying { () throws(ReaderError) in
      try session.bearsOut(expectation)
    }
    guard isBorneOut else { return nil }
    (session.product, session.version) = (expectation.product, nil)
    // The end of the memory is all that tells chips apart that do not know GET_VERSION.
    session.isTakenOnTrust = expectation.lastPage == nil || !expectation.isSole
    session.hasTwins = !expectation.isSole
    return TagIdentity(
      expectation.product,
      remarks: Identification.remarks(on: expectation.product, of: session.tag))
  }

  /// Asks a tag that was taken on trust what it is, where `job` rests on more than message and
  /// static lock bytes; where other chips look like it, before anything is decided or written. True
  /// where it is another than was expected.
  static func finds(another job: Job?, than session: Type2Session) throws(Setback) -> Bool {
    guard session.isTakenOnTrust, job?.restsOnChip ?? false || session.hasTwins && job != .read
    else { return false }
    let expected = session.product
    if expected?.features.contains(.version) == false {
      // Its twins know GET_VERSION.
      session.isTakenOnTrust = try surveying { () throws(ReaderError) in
        try session.answersVersion()
      }
      guard session.isTakenOnTrust else { return false }
    }
    _ = try ask(session)
    return session.product != expected
  }
}

extension Type2Session {
  /// Returns whether the tag knows GET_VERSION.
  fileprivate func answersVersion() throws(ReaderError) -> Bool {
    try wake()
    do {
      _ = try reader.getVersion()
      return true
    } catch .exchangeFailed {
      try selectAgain()
      return false
    } catch .wrongAnswerLength {
      try selectAgain()
      return false
    }
  }

  /// Returns whether the tag shows itself as what is expected.
  fileprivate func bearsOut(_ expectation: Type2Expectation) throws(ReaderError) -> Bool {
    guard !head.isEmpty else { return false }
    if expectation.isBorneOut(by: head, uid: tag.uid) { return true }
    guard let page = expectation.lastPage else { return false }
    do {
      let answer = try reader.readPages(from: UInt8(page.number))
      return expectation.ends(in: answer, head: head, uid: tag.uid)
    } catch .exchangeFailed {
      // A smaller chip refuses, or its key hides the page; a tag that has gone is found out now.
      try selectAgain()
      return false
    }
  }
}

extension Job {
  /// Says whether it writes or tells more of a Type 2 tag than its message, so that it has to be
  /// certain which chip it is.
  fileprivate var restsOnChip: Bool {
    switch self {
    case .read: false
    case .write(_, let options):
      options.lock || options.protection != nil || options.mirror != nil
    default: true
    }
  }
}
