/// Why bytes are not NDEF, or why a value cannot be written as NDEF.
public struct NDEFError: Error, Hashable, Sendable {
  /// A part says what `offset` counts in.
  public enum Part: Hashable, Sendable {
    /// The serialized message.
    case message
    /// The TYPE field of the record.
    case type
    /// The payload of the record, chunks joined.
    case payload
    /// A value that was given to be written; texts count in UTF-8.
    case argument
  }

  /// The fault says what is wrong.
  public let fault: Fault
  /// Where `offset` counts.
  public let part: Part
  /// The first byte that is wrong or missing, from 0.
  public let offset: Int

  package init(_ fault: Fault, in part: Part, at offset: Int = 0) {
    self.fault = fault
    self.part = part
    self.offset = offset
  }
}

extension NDEFError: CustomStringConvertible {
  /// One sentence without a full stop, with the place where bytes were read.
  public var description: String {
    switch part {
    case .message: "byte \(offset) of the message: \(fault)"
    case .type: "byte \(offset) of the record type: \(fault)"
    case .payload: "byte \(offset) of the payload: \(fault)"
    case .argument: "\(fault)"
    }
  }
}
