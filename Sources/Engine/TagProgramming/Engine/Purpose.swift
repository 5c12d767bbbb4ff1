extension TagProgram {
  /// What a write is for.
  package enum Purpose: Hashable, Sendable {
    /// Sets the length of the message that is there to 0.
    case switchOff
    /// Bytes that no reader looks at yet.
    case content
    /// Holds the length of the new message.
    case switchOn
    /// A sector trailer: keys, access bits, general purpose byte.
    case trailer
    /// A block of the MIFARE application directory.
    case directory
    /// Page 3: bits can be set, never cleared.
    case capabilityContainer
    /// Says whether a FeliCa tag answers to the system code of NDEF.
    case systemCode
    /// An application, a file, or what a new file needs before it can be read.
    case creation
    /// Back to the state of delivery.
    case blank
    /// A block as a dump has it.
    case restored
    /// What the operator gave; `isIrreversible` where the page is OTP or holds lock bits.
    case raw(isIrreversible: Bool)
    /// A password or a key.
    case secret
    /// What the password protects.
    case configuration
    /// What the tag shows of itself in its message, and whether it counts.
    case mirror
    /// Lock bits, or the capability container's word that nobody may write: for good.
    case lock
    /// Lock bits, or the capability container's word that nobody may write: whoever has the
    /// application's key can take it back.
    case lockUnderKey
  }
}

extension TagProgram.Purpose: CustomStringConvertible {
  package var description: String {
    switch self {
    case .switchOff: "(the present message is switched off)"
    case .content: "(content)"
    case .switchOn: "(the length: the message is on)"
    case .trailer: "(sector trailer)"
    case .directory: "(MIFARE application directory)"
    case .capabilityContainer: "(capability container, irreversible)"
    case .systemCode: "(the tag answers as an NDEF tag)"
    case .creation: "(the application)"
    case .blank: "(as delivered)"
    case .restored: "(from the dump)"
    case .raw(let isIrreversible): isIrreversible ? "(irreversible)" : ""
    case .secret: "(a password or key)"
    case .configuration: "(what the password protects)"
    case .mirror: "(mirror and counter)"
    case .lock: "(locked, irreversible)"
    case .lockUnderKey: "(locked; the application's key can undo it)"
    }
  }
}

extension TagProgram.Purpose {
  /// In one word, for programs: stable.
  package var word: String {
    switch self {
    case .switchOff: "switchOff"
    case .content: "content"
    case .switchOn: "switchOn"
    case .trailer: "trailer"
    case .directory: "directory"
    case .capabilityContainer: "capabilityContainer"
    case .systemCode: "systemCode"
    case .creation: "creation"
    case .blank: "blank"
    case .restored: "restored"
    case .raw: "raw"
    case .secret: "secret"
    case .configuration: "configuration"
    case .mirror: "mirror"
    case .lock, .lockUnderKey: "lock"
    }
  }
}
