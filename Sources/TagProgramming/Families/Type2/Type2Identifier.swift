import Readers
import TagMemory

/// Finds out what a tag is, asking no more than the decision needs.
struct Type2Identifier {
  let session: Type2Session

  /// Product, and sentences about what is odd.
  func identify() throws(ReaderError) -> Identification {
    var identification = Identification(session.tag)
    var asked: Identification.Probe?
    while case .probe(let probe) = identification.next {
      let reply = try answer(to: probe)
      // One lost frame must not make a chip look like its older sister: silence counts the second time.
      if reply != .silence || asked == probe { identification.take(reply) }
      asked = probe
      if identification.needsSelection { try session.selectAgain() }
    }
    return identification
  }

  private func answer(to probe: Identification.Probe) throws(ReaderError)
    -> Identification.Reply
  {
    try session.wake()
    do {
      switch probe {
      case .read: return .answer(try session.reader.exchange(probe.command))
      case .getVersion, .authenticateUltralightC:
        return .answer(try session.reader.communicate(probe.command))
      }
    } catch .exchangeFailed {
      // A NAK has no CRC, so the chip reports it as a damaged answer: here they cannot be told apart.
      return .silence
    }
  }
}
