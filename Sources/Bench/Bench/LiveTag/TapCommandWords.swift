import Bytes
import TagMemory

/// Puts a telephone's commands to a Type 4 tag into words.
package enum TapCommandWords {
  package static func text(of command: [UInt8]) -> String {
    guard !command.isEmpty else { return "is the tag still there?" }
    if command == [0x90, 0x60, 0x00, 0x00, 0x00] { return "which DESFire or NTAG 424 is it?" }
    guard let apdu = try? CommandAPDU(parsing: command), apdu.instructionClass == 0x00 else {
      return "no command of a Type 4 tag"
    }
    let offset = Int(apdu.parameters.p1) << 8 | Int(apdu.parameters.p2)
    switch apdu.instruction {
    case 0xA4 where apdu.parameters.p1 == 0x04:
      switch apdu.data {
      case NDEFApplication.current.name: return "select the NDEF application"
      case NDEFApplication.first.name:
        return "select the NDEF application of mapping version 1"
      case []: return "select an application without a name"
      default: return "select application \(Hex.string(apdu.data))"
      }
    case 0xA4:
      switch apdu.data {
      case FileID.capability.bytes: return "select the capability container"
      case FileID.usualMessage.bytes: return "select the message's file"
      default: return "select file \(Hex.string(apdu.data))"
      }
    case 0xB0:
      return "read \(counted(apdu.expectedLength ?? 0, "byte")) from offset \(offset)"
    case 0xD6: return "write \(counted(apdu.data.count, "byte")) from offset \(offset)"
    default: return "another command"
    }
  }
}
