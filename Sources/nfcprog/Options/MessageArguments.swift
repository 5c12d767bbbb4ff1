import NDEF

/// A message made of record options in the order in which they were given.
enum MessageArguments {
  /// `values` holds each option's values in their own order, `order` the options as they stood; see `RecordOrder`.
  static func message(
    order: [String], values: [RecordOption: [String]]
  ) throws(CommandFailure) -> Message {
    var rest = values.mapValues { $0[...] }
    var records: [Record] = []
    var language = "en"
    for name in order {
      guard let option = RecordOption(rawValue: name), let value = rest[option]?.popFirst() else {
        continue
      }
      if option == .lang { language = value }
      records += try option.records(value, language: language)
    }
    guard rest.values.allSatisfy(\.isEmpty) else {
      throw CommandFailure(.bug, "The order of the records could not be told.")
    }
    guard let message = try? Message(records) else {
      throw CommandFailure(.usage, "There is no record to write; see nfcprog write --help.")
    }
    return message
  }
}
