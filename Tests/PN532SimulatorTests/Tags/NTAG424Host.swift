import Bytes
import TagMemory

@testable import PN532Simulator

/// A host that talks to a virtual NTAG 424 DNA in frames, with the library's own secure messaging.
final class NTAG424Host {
  let tag: VirtualNTAG424
  var session: EV2Session?

  init(_ tag: VirtualNTAG424) {
    self.tag = tag
    open()
  }

  /// Selects the tag and its application anew.
  func open() {
    session = nil
    tag.powerOff()
    tag.select()
    _ = send([0x00, 0xA4, 0x04, 0x0C, 0x07, 0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x01, 0x00])
  }

  func send(_ frame: [UInt8]) -> ResponseAPDU {
    guard case .data(let bytes) = tag.receive(frame) else {
      return ResponseAPDU(data: [], status: StatusWord(0, 0))
    }
    return ResponseAPDU(parsing: bytes) ?? ResponseAPDU(data: bytes, status: StatusWord(0, 0))
  }

  func send(_ command: DESFireCommand) -> ResponseAPDU { send(command.apdu.serialize()) }

  /// The status that the tag ends with; 0 for success.
  func authenticate(_ number: UInt8, _ key: AESKey, within running: EV2Session? = nil) -> UInt8 {
    var authentication = EV2Authentication(
      key: key.bytes, number: number, challenge: (0..<16).map { UInt8($0) * 7 },
      continuing: running)
    let first = send(authentication.start)
    guard first.status.sw2 == 0xAF, let answer = authentication.answer(to: first.data) else {
      return first.status.sw2
    }
    let last = send(answer)
    guard last.status.sw2 == 0 else { return last.status.sw2 }
    session = authentication.session(from: last.data)
    return session == nil ? 0xFF : 0
  }

  /// The data of the answer, checked; or the status of a refusal.
  func perform(_ command: DESFireCommand, header: Int, _ mode: EV2Session.Mode)
    -> (status: UInt8, data: [UInt8]?)
  {
    let sent = session?.wrapped(command, header: header, mode) ?? command
    let answer = send(sent)
    guard answer.status.sw2 == 0, answer.status.sw1 == 0x91 else {
      session = nil
      return (answer.status.sw2, nil)
    }
    guard session != nil else { return (0, answer.data) }
    return (0, session?.opened(answer.data, mode))
  }

  func change(_ number: UInt8, from old: AESKey, to new: AESKey, version: UInt8 = 1) -> UInt8 {
    perform(.changeKey(number, from: old, to: new, version: version), header: 1, .full).status
  }

  /// The NDEF file as anybody reads it.
  func readFile() -> ResponseAPDU {
    open()
    _ = send([0x00, 0xA4, 0x00, 0x0C, 0x02, 0xE1, 0x04])
    return send([0x00, 0xB0, 0x00, 0x00, 0x00])
  }
}

/// Bytes in a fixed order, then zeros.
struct ScriptedBytes: RandomNumberGenerator {
  var bytes: [UInt8]

  mutating func next() -> UInt64 { bytes.isEmpty ? 0 : UInt64(bytes.removeFirst()) }
}
