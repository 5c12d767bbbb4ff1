import Bytes
import PN532
import Readers

/// A link to a board that answers from a trace: where the trace does not say, that is the failure,
/// and no other.
package final class ReplayLink: ChipLink {
  private let link: any ChipLink
  private let script: ReplayScript

  package init(_ link: any ChipLink, _ script: ReplayScript) {
    (self.link, self.script) = (link, script)
  }

  package var name: String { link.name }
  package var speed: LinkSpeed? { link.speed }
  package var limit: ExchangeLimit { link.limit }
  package var hasResetField: Bool { link.hasResetField }

  package func transceive(_ command: [UInt8], timeout: Duration) throws(ReaderError) -> [UInt8] {
    do throws(ReaderError) {
      return try link.transceive(command, timeout: timeout)
    } catch {
      guard let divergence = script.divergence else { throw error }
      throw .notRecorded(command: Hex.string(divergence.command), place: divergence.place)
    }
  }

  package func willProve(_ key: [UInt8]) { script.learn(key) }
  package func slowDown() { link.slowDown() }
  package func close() { link.close() }
}
