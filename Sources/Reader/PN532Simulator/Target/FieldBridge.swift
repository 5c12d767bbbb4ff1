import PN532
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Two boards in one field: the one plays a tag, which the other, a reader, finds.
///
/// Each board has a thread of its own. The reader's waits for the other board's host, as a reader
/// on the air does.
package final class FieldBridge: Sendable {
  struct State {
    /// What the first board shows; nil: it plays no tag now.
    var face: TargetFace?
    /// The reader has sent RATS and waits for the chip to hear it.
    var wantsSelection = false
    var isSelected = false
    /// The reader has let go, or is gone.
    var isReleased = false
    var command: [UInt8]?
    var answer: [UInt8]?
  }

  let state = Mutex(State())

  package init() {}

  /// Who the board that plays the tag hears.
  package var initiator: any Initiator { BridgedReader(self) }

  /// What the board that is a reader finds.
  package func tag() -> any VirtualTag { BridgedTag(self) }

  /// Longer than a host may take to answer.
  private static let patience = Duration.seconds(3)

  /// Waits for the other board; nil where nothing came of it.
  func wait<Value: Sendable>(for look: (inout State) -> Value?) -> Value? {
    let deadline = ContinuousClock.now + Self.patience
    while ContinuousClock.now < deadline {
      if let value = state.withLock({ look(&$0) }) { return value }
      usleep(500)
    }
    return nil
  }
}

/// The reader, as the chip that plays a tag hears it.
private final class BridgedReader: Initiator {
  private let bridge: FieldBridge

  init(_ bridge: FieldBridge) { self.bridge = bridge }

  var hasField: Bool { bridge.state.withLock { $0.isSelected && !$0.isReleased } }

  func select(_ face: TargetFace) -> [UInt8]? {
    bridge.state.withLock { state in
      state.face = face
      guard state.wantsSelection else { return nil }
      (state.wantsSelection, state.isSelected, state.isReleased) = (false, true, false)
      (state.command, state.answer) = (nil, nil)
      return [0xE0, 0x80]
    }
  }

  func next() -> InitiatorAct {
    bridge.state.withLock { state in
      guard !state.isReleased else {
        (state.face, state.isSelected) = (nil, false)
        return .left(.released)
      }
      guard let command = state.command else { return .waits }
      state.command = nil
      return .command(command)
    }
  }

  func take(_ answer: [UInt8]) -> StatusCode {
    bridge.state.withLock { state in
      guard !state.isReleased else {
        (state.face, state.isSelected) = (nil, false)
        return .released
      }
      state.answer = answer
      return .ok
    }
  }

  func lose() { hide() }

  func hide() {
    bridge.state.withLock { ($0.face, $0.isSelected, $0.wantsSelection) = (nil, false, false) }
  }
}

/// The tag that the first board plays, as the second finds it.
private final class BridgedTag: ActivatedTag {
  let product = "emulated"
  let eeprom = EEPROM([UInt8](repeating: 0, count: 16))
  var activation = Activation()
  private let bridge: FieldBridge

  init(_ bridge: FieldBridge) { self.bridge = bridge }

  private var face: TargetFace? { bridge.state.withLock { $0.face } }
  var isAwake: Bool { face != nil }
  var atqa: UInt16 { face?.atqa ?? 0x0004 }
  var sak: UInt8 { face?.sak ?? 0x20 }
  var uid: [UInt8] { face?.uid ?? [0x08, 0, 0, 0] }
  var ats: [UInt8] { face.map { $0.isCard ? $0.ats : [] } ?? [] }

  func enterProtocol() {
    bridge.state.withLock { $0.wantsSelection = true }
    _ = bridge.wait { state in
      if state.isSelected, !state.isReleased { return true }
      // The other chip shows itself no more.
      return state.wantsSelection ? nil : false
    }
    bridge.state.withLock { $0.wantsSelection = false }
  }

  func receive(_ frame: [UInt8]) -> TagAnswer {
    guard state == .active else { return .silence }
    let isThere = bridge.state.withLock { state in
      guard state.isSelected, !state.isReleased else { return false }
      (state.command, state.answer) = (frame, nil)
      return true
    }
    guard isThere else { return .silence }
    let answer: TagAnswer? = bridge.wait { state in
      guard state.isSelected else { return .silence }
      defer { state.answer = nil }
      return state.answer.map { .data($0) }
    }
    return answer ?? .silence
  }

  func forget() {
    bridge.state.withLock { state in
      state.wantsSelection = false
      // A chip that was let go of is no tag until its host makes it one again.
      if state.isSelected { (state.isReleased, state.face) = (true, nil) }
    }
  }
}
