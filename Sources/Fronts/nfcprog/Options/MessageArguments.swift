import Bench
import NDEF
import RecordText

/// A message made of record options in the order in which they were given.
enum MessageArguments {
  /// `values` holds each option's values in their own order, `order` the options as they stood; see
  /// `RecordOrder`. `read` gives the files that records name.
  static func message(
    order: [String], values: [RecordOption: [String]],
    read: @escaping (String) throws(RecordTextError) -> [UInt8] = read
  ) throws(BenchError) -> (message: Message, remarks: InputRemarks) {
    var rest = values.mapValues { $0[...] }
    var records: [Record] = []
    var surroundings = RecordSurroundings(read: read)
    for name in order {
      guard let option = RecordOption(rawValue: name), let value = rest[option]?.popFirst() else {
        continue
      }
      do throws(RecordTextError) {
        try option.append(value, to: &records, in: &surroundings)
      } catch {
        throw BenchError(error)
      }
    }
    do throws(RecordTextError) { try surroundings.check() } catch { throw BenchError(error) }
    guard rest.values.allSatisfy(\.isEmpty) else {
      throw BenchError(.bug, "The order of the records is not known.")
    }
    guard let message = try? Message(records) else {
      throw BenchError(.usage, "There is no record to write; see nfcprog write --help.")
    }
    return (message, InputRemarks(altered: surroundings.altered))
  }

  /// The address that `text` means. Fails with `badInput` for a field.
  static func address(_ text: String) throws(BenchError) -> String {
    do throws(RecordTextError) {
      return try Braces.address(text)
    } catch {
      throw BenchError(error)
    }
  }

  /// The URI record of `text`. Fails with `badInput`, and says why.
  static func link(
    _ text: String
  ) throws(BenchError) -> (record: URIRecord, remarks: InputRemarks) {
    do throws(RecordTextError) {
      let (record, altered) = try AddressArgument.record(Braces.address(text))
      return (record, InputRemarks(altered: [altered].compactMap(\.self)))
    } catch {
      throw BenchError(error)
    }
  }

  static func read(_ path: String) throws(RecordTextError) -> [UInt8] {
    do throws(BenchError) {
      return try Files.read(path)
    } catch {
      throw RecordTextError(error.code == .noInput ? .noInput : .badInput, error.reason)
    }
  }
}
