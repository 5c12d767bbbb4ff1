import Bytes
import PN532
import Readers

/// A link to a board that answers from a trace: where the trace does not say, that is the failure,
/// and no other.
final class ReplayLink: ChipLink {
  private let link: any ChipLink
  private let script: ReplayScript

  init(_ link: any ChipLink, _ script: ReplayScript) { (self.link, self.script) = (link, script) }

  var name: String { link.name }
  var speed: LinkSpeed? { link.speed }
  var hasResetField: Bool { link.hasResetField }

  func transceive(_ command: [UInt8], timeout: Duration) throws(ReaderError) -> [UInt8] {
    do throws(ReaderError) {
      return try link.transceive(command, timeout: timeout)
    } catch {
      guard let divergence = script.divergence else { throw error }
      throw .notRecorded(command: Hex.string(divergence.command), place: divergence.place)
    }
  }

  func slowDown() { link.slowDown() }
  func close() { link.close() }
}
