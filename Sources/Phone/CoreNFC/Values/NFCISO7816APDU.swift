import Foundation
import TagMemory

/// A command to a smart card (ISO/IEC 7816-4, 5.1).
///
/// developer.apple.com: NFCISO7816APDU.
open class NFCISO7816APDU: NSObject, NSCopying, @unchecked Sendable {
  let command: CommandAPDU

  /// CLA.
  open var instructionClass: UInt8 { command.instructionClass }
  /// INS.
  open var instructionCode: UInt8 { command.instruction }
  /// P1.
  open var p1Parameter: UInt8 { command.parameters.p1 }
  /// P2.
  open var p2Parameter: UInt8 { command.parameters.p2 }
  /// The command's data; nil where it has none.
  open var data: Data? { command.data.isEmpty ? nil : Data(command.data) }
  /// Le: 1 to 65,536 bytes; −1 where no answer is asked for.
  open var expectedResponseLength: Int { command.expectedLength ?? -1 }

  /// Traps where `data` has more than 65,535 bytes or `expectedResponseLength` is more than 65,536;
  /// below 1 it asks for no answer.
  public init(
    instructionClass: UInt8, instructionCode: UInt8, p1Parameter: UInt8, p2Parameter: UInt8,
    data: Data, expectedResponseLength: Int
  ) {
    command = CommandAPDU(
      instructionClass, instructionCode, p1Parameter, p2Parameter, data: Array(data),
      expectedLength: expectedResponseLength < 1 ? nil : expectedResponseLength)
  }

  /// The command in `data`, all of which belongs to it; nil where its lengths do not agree with its
  /// bytes.
  public init?(data: Data) {
    guard let command = try? CommandAPDU(parsing: Array(data)) else { return nil }
    self.command = command
  }

  public func copy(with zone: NSZone? = nil) -> Any { self }

  open override func isEqual(_ object: Any?) -> Bool {
    (object as? NFCISO7816APDU)?.command == command
  }

  open override var hash: Int { command.hashValue }

  open override var description: String {
    "<NFCISO7816APDU: \(Data(command.serialize()) as NSData)>"
  }
}

/// A smart card's answer.
///
/// developer.apple.com: NFCISO7816ResponseAPDU.
public struct NFCISO7816ResponseAPDU: Sendable {
  /// SW1.
  public var statusWord1: UInt8
  /// SW2.
  public var statusWord2: UInt8
  /// These bytes stand before the status words; nil where none do.
  public var payload: Data?

  public init(statusWord1 _statusWord1: UInt8, statusWord2 _statusWord2: UInt8, payload: Data?) {
    (statusWord1, statusWord2, self.payload) = (_statusWord1, _statusWord2, payload)
  }

  /// With the label as Apple spells it.
  public init(
    statusWord1 _statusWord1: UInt8, statusWord2 _statusWord2: UInt8, paylaod _paylaod: Data?
  ) {
    self.init(statusWord1: _statusWord1, statusWord2: _statusWord2, payload: _paylaod)
  }

  init(_ answer: ResponseAPDU) {
    self.init(
      statusWord1: answer.status.sw1, statusWord2: answer.status.sw2,
      payload: answer.data.isEmpty ? nil : Data(answer.data))
  }
}
