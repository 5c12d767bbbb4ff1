import PN532
import TagMemory

/// Looking for what is not of type A.
extension TagReader {
  /// The ways to look for the other technologies, in their turns.
  var polls: [Poll] {
    Poll.allCases.filter { technologies.contains($0.technology) && !unknownPolls.contains($0) }
  }

  /// Asks one after another until one finds something, then the rest.
  func askAll(_ polls: [Poll]) throws(ReaderError) -> [Target] {
    for poll in polls {
      let found = try ask(poll)
      if !found.isEmpty {
        return try askBeside(found, polls.filter { $0.technology != poll.technology })
      }
    }
    return []
  }

  /// Asks the others, too, once `found` was found. A single tag is selected again in the end; a
  /// card of type B that answers once and not again was there all the same.
  func askBeside(_ found: [Target], _ others: [Poll]) throws(ReaderError) -> [Target] {
    var all = found
    for poll in others where !all.contains(where: { $0.technology == poll.technology }) {
      all += try ask(poll)
    }
    guard all.count == 1, !others.isEmpty else { return all }
    return try isThere(all[0]) || Poll(for: all[0]) == .typeB ? all : []
  }

  /// One InListPassiveTarget; a single tag is the selected one then.
  func ask(_ poll: Poll) throws(ReaderError) -> [Target] {
    let found: [Target]
    do throws(ReaderError) {
      found = try again { () throws(ReaderError) in try list(poll) }
    } catch .boardRefused {
      // A chip without this modulation: it is not asked again.
      unknownPolls.insert(poll)
      return []
    } catch  where error.isOfLine && technologies.count > 1 {
      // Copies of the chip may know type A alone and say so badly: it is given one more chance. A
      // board that is dead shows at the next look for type A.
      if !doubtfulPolls.insert(poll).inserted { unknownPolls.insert(poll) }
      return []
    }
    doubtfulPolls.remove(poll)
    if found.count == 1 { target = found[0] }
    return found
  }

  /// Returns whether a tag that is not of type A answers again; it is selected then.
  func isStillThere(_ tag: Target) throws(ReaderError) -> Bool {
    guard let poll = Poll(for: tag) else { return false }
    if poll == .typeB {
      if target?.uid == tag.uid, !needsReselect, try answersAttention() { return true }
      // A card that was selected heeds no request before it has lost its power or was let go.
      try resetField()
    }
    guard let same = try ask(poll).first(where: { $0.uid == tag.uid }) else {
      forgetTarget()
      needsReselect = true
      return false
    }
    target = same
    return true
  }

  /// Returns whether the selected tag still lies there, asked without disturbing what it is doing:
  /// a card that speaks ISO-DEP keeps its application, a FeliCa tag has nothing to keep; any other
  /// tag is selected again by its UID, which ends an authentication.
  public func isPresent(_ tag: Target) throws(ReaderError) -> Bool {
    if isInProtocol, target?.uid == tag.uid, !needsReselect, try answersAttention() { return true }
    return try isThere(tag)
  }

  /// R(NAK) to a card in the ISO-DEP protocol (UM0701-02, 7.2.1, test 6).
  private func answersAttention() throws(ReaderError) -> Bool {
    do throws(ReaderError) {
      let answer = try perform(.attentionTest, timeout: Allowance.look)
      return answer.first == StatusCode.ok.rawValue
    } catch .boardRefused {
      return false
    }
  }

  private func list(_ poll: Poll) throws(ReaderError) -> [Target] {
    try prepare()
    if isInProtocol { othersMayBeInProtocol = true }
    forgetTarget()
    needsReselect = true
    // A type B card that was selected does not answer again; the others always do. Noted before it
    // is sent: an answer that is lost may have named a tag.
    let mayHaveHaltedBefore = mayHaveHalted
    if poll == .typeB { mayHaveHalted = true }
    let answer: [UInt8]
    do throws(ReaderError) {
      answer = try perform(poll.command, timeout: Allowance.look, repetition: .never)
    } catch .boardRefused(let reader) {
      // Nothing went out.
      mayHaveHalted = mayHaveHaltedBefore
      throw .boardRefused(reader: reader)
    }
    guard let found = poll.targets(in: answer) else { throw .boardGarbled(reader: name) }
    needsReselect = found.isEmpty
    if found.isEmpty { mayHaveHalted = mayHaveHaltedBefore }
    return found
  }
}
