import Readers
import TagMemory

/// Finds out what a tag is, asking no more than the decision needs.
struct Type2Identifier {
  let session: Type2Session

  /// Product, and sentences about what is odd.
  func identify() throws(ReaderError) -> Identification {
    var identification = Identification(session.tag, head: session.head)
    var asked: Identification.Probe?
    while case .probe(let probe) = identification.next {
      let reply = try answer(to: probe)
      // One lost frame must not make a chip look like its older sister: silence counts the second
      // time.
      if reply != .silence || asked == probe { identification.take(reply) }
      asked = probe
      if identification.needsSelection { try session.selectAgain() }
    }
    return identification
  }

  private static func command(_ probe: Identification.Probe) -> TagCommand {
    switch probe {
    case .read(let page): .readPages(from: Int(page.number))
    case .getVersion: .getVersion
    case .authenticateUltralightC: .beginTripleDES
    }
  }

  private func answer(to probe: Identification.Probe) throws(ReaderError)
    -> Identification.Reply
  {
    try session.wake()
    do {
      return .answer(try session.reader.send(Self.command(probe)))
    } catch .wrongAnswerLength {
      // It understands something else by this command.
      return .refused
    } catch .exchangeFailed {
      // A NAK has no CRC, so the chip reports it as a damaged answer: here they cannot be told
      // apart.
      return .silence
    }
  }
}
