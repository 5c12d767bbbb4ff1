/// The commands of the PN532 (UM0701-02, 7.2 to 7.4); the answer's code is one higher.
package enum CommandCode: UInt8, Hashable, Sendable, CaseIterable {
  // Miscellaneous, 7.2
  case diagnose = 0x00
  case getFirmwareVersion = 0x02
  case getGeneralStatus = 0x04
  case readRegister = 0x06
  case writeRegister = 0x08
  case readGPIO = 0x0C
  case writeGPIO = 0x0E
  case setSerialBaudRate = 0x10
  case setParameters = 0x12
  case samConfiguration = 0x14
  case powerDown = 0x16
  // RF communication and initiator, 7.3
  case rfConfiguration = 0x32
  case rfRegulationTest = 0x58
  case inJumpForDEP = 0x56
  case inJumpForPSL = 0x46
  case inListPassiveTarget = 0x4A
  case inATR = 0x50
  case inPSL = 0x4E
  case inDataExchange = 0x40
  case inCommunicateThru = 0x42
  case inDeselect = 0x44
  case inRelease = 0x52
  case inSelect = 0x54
  case inAutoPoll = 0x60
  // Target, 7.3
  case tgInitAsTarget = 0x8C
  case tgSetGeneralBytes = 0x92
  case tgGetData = 0x86
  case tgSetData = 0x8E
  case tgSetMetaData = 0x94
  case tgGetInitiatorCommand = 0x88
  case tgResponseToInitiator = 0x90
  case tgGetTargetStatus = 0x8A

  /// The code of the answer.
  package var answer: UInt8 { rawValue + 1 }

  /// Says whether it looks for tags or reaches one.
  package var concernsTags: Bool {
    switch self {
    case .inListPassiveTarget, .inAutoPoll, .inSelect, .inDeselect, .inDataExchange,
      .inCommunicateThru, .inATR, .inPSL, .inJumpForDEP, .inJumpForPSL:
      true
    default: false
    }
  }

  /// Is true if the answer starts with a status byte (7.1).
  package var answersWithStatus: Bool {
    switch self {
    case .powerDown, .inJumpForDEP, .inJumpForPSL, .inATR, .inPSL, .inDataExchange,
      .inCommunicateThru, .inDeselect, .inRelease, .inSelect, .tgSetGeneralBytes, .tgGetData,
      .tgSetData, .tgSetMetaData, .tgGetInitiatorCommand, .tgResponseToInitiator:
      true
    default: false
    }
  }
}

extension CommandCode: CustomStringConvertible {
  /// The manual's name: `InListPassiveTarget`.
  package var description: String {
    switch self {
    case .diagnose: "Diagnose"
    case .getFirmwareVersion: "GetFirmwareVersion"
    case .getGeneralStatus: "GetGeneralStatus"
    case .readRegister: "ReadRegister"
    case .writeRegister: "WriteRegister"
    case .readGPIO: "ReadGPIO"
    case .writeGPIO: "WriteGPIO"
    case .setSerialBaudRate: "SetSerialBaudRate"
    case .setParameters: "SetParameters"
    case .samConfiguration: "SAMConfiguration"
    case .powerDown: "PowerDown"
    case .rfConfiguration: "RFConfiguration"
    case .rfRegulationTest: "RFRegulationTest"
    case .inJumpForDEP: "InJumpForDEP"
    case .inJumpForPSL: "InJumpForPSL"
    case .inListPassiveTarget: "InListPassiveTarget"
    case .inATR: "InATR"
    case .inPSL: "InPSL"
    case .inDataExchange: "InDataExchange"
    case .inCommunicateThru: "InCommunicateThru"
    case .inDeselect: "InDeselect"
    case .inRelease: "InRelease"
    case .inSelect: "InSelect"
    case .inAutoPoll: "InAutoPoll"
    case .tgInitAsTarget: "TgInitAsTarget"
    case .tgSetGeneralBytes: "TgSetGeneralBytes"
    case .tgGetData: "TgGetData"
    case .tgSetData: "TgSetData"
    case .tgSetMetaData: "TgSetMetaData"
    case .tgGetInitiatorCommand: "TgGetInitiatorCommand"
    case .tgResponseToInitiator: "TgResponseToInitiator"
    case .tgGetTargetStatus: "TgGetTargetStatus"
    }
  }
}
