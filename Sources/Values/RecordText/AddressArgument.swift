import NDEF
import WebAddress

/// An address as text, for a record.
package enum AddressArgument {
  /// The URI record of `text`, and what was changed in it; fails and says why it is no address.
  package static func record(
    _ text: String
  ) throws(RecordTextError) -> (record: URIRecord, altered: AlteredAddress?) {
    do throws(AddressError) {
      let address = try Address(parsing: text)
      return (try record(address), AlteredAddress(address))
    } catch {
      throw .badInput("\(RecordTextError.quoted(text)) is not a URL: \(error).")
    }
  }

  private static func record(_ address: Address) throws(AddressError) -> URIRecord {
    // An address has no control character and is not empty.
    guard let record = try? URIRecord(address.text) else { throw .empty }
    return record
  }
}
