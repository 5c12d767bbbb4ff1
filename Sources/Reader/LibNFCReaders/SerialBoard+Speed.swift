import PN532
import Readers

// Changing the line's speed, so that no board is lost without a word.
extension SerialBoard {
  /// What an attempt to raise the line led to.
  enum Raised: Hashable {
    /// This speed holds, verified by exchanges.
    case at(LinkSpeed)
    /// The board took up this speed and answers at none now: the line cannot make it.
    case lost(LinkSpeed)
  }

  /// Raises the line from `home` to the fastest of `candidates` that board and port both follow.
  /// `proving`: only to one that carries long frames, too; a wire may be good for short ones alone.
  func raise(to candidates: [LinkSpeed], proving: Bool) throws(ReaderError) -> Raised {
    for speed in candidates where speed != home {
      // A port that cannot must be found out before the board is told.
      guard port.setSpeed(speed) else {
        _ = port.setSpeed(home)
        continue
      }
      let hasAgreed = try change(from: home, to: speed)
      if hasAgreed, try proving ? carriesLongFrames() : answers() { return .at(speed) }
      do {
        // As a rule it is where it was told to go, and hears short commands at least.
        if hasAgreed, try change(from: speed, to: home, blindly: true), try answers() { continue }
        try bringHome(patiently: false)
      } catch {
        guard hasAgreed, case .boardSilent = error else { throw error }
        return .lost(speed)
      }
    }
    return .at(home)
  }

  /// Goes back to `home`, also when the board no longer answers: then the commands are sent
  /// blindly, twice. Never waits longer than half a second.
  func lower(from speed: LinkSpeed) {
    guard speed != home else { return }
    for _ in 0..<2 {
      do {
        if try change(from: speed, to: home, blindly: true), try answers() { return }
      } catch { break }
    }
    _ = port.setSpeed(home)
  }

  /// Goes back to `home` in the middle of the work, over a line that damages frames. True when the
  /// board answers there; otherwise all is as it was. Takes less than a second.
  func comeDown(from speed: LinkSpeed) -> Bool {
    for _ in 0..<2 {
      do {
        if try change(from: speed, to: home, blindly: true), try answers() { return true }
        if try isAwake(at: speed, patience: .milliseconds(100)) { continue }
        return try isAwake(at: home, patience: .milliseconds(100))
      } catch { break }
    }
    _ = port.setSpeed(speed)
    return false
  }

  /// The hand-shake of SetSerialBaudRate (UM0701-02, 7.2.6): command and answer at the old speed,
  /// the host's ACK, then both switch. False when the port cannot, or when the board has not agreed
  /// and it is not to be done `blindly`.
  func change(
    from old: LinkSpeed, to new: LinkSpeed, blindly: Bool = false
  ) throws(ReaderError) -> Bool {
    guard port.setSpeed(old) else { return false }
    let reply = try ask(.setSerialBaudRate(new), patience: .milliseconds(100))
    if !blindly {
      guard case .answer? = reply else { return false }
    }
    try send(Frame.ack.serialize())
    // The ACK's last bytes may still be in the adapter, which has no way to say so.
    HostClock.pause(port.transit)
    guard port.setSpeed(new) else { return false }
    HostClock.pause(port.transit)
    return true
  }

  /// Returns whether the board answers a short command at the port's speed.
  func answers() throws(ReaderError) -> Bool {
    try ask(.getFirmwareVersion, patience: .milliseconds(100)) != nil
  }

  /// Brings the board to the speed that its connection string names. One above the speed of
  /// delivery must carry long frames, as any that the line is raised to; otherwise the board is
  /// left where it is known to answer. Returns the speed it was found at.
  func bringHome(proving line: LineHistory) throws(OpeningFailure) -> LinkSpeed {
    guard home.rawValue > LinkSpeed.baud115200.rawValue else {
      return try OpeningFailure.of { () throws(ReaderError) in try bringHome() }
    }
    let slow = SerialBoard(port: port, name: name, home: .baud115200)
    let found = try OpeningFailure.of { () throws(ReaderError) -> LinkSpeed? in
      if try isAwake(at: home, patience: .milliseconds(60)), try carriesLongFrames() { return nil }
      return try slow.bringHome()
    }
    guard let found else { return home }
    _ = try line.raise(slow, to: .fixed(home), proving: true)
    return found
  }

  /// Returns whether 200 bytes come back as they were sent, twice (Diagnose, UM0701-02, 7.2.1, test
  /// 0).
  func carriesLongFrames() throws(ReaderError) -> Bool {
    for mask in [0x00, 0xFF] as [UInt8] {
      let text = (0..<200).map { UInt8(truncatingIfNeeded: $0 &* 37) ^ mask }
      guard
        case .answer([CommandCode.diagnose.answer, 0x00] + text)? =
          try ask(.lineTest(text), patience: .milliseconds(100))
      else { return false }
    }
    return true
  }
}
