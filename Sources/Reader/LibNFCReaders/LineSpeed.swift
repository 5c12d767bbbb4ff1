import PN532
import Readers

/// How fast a serial reader is to be driven: `--baud`.
public enum LineSpeed: Hashable, Sendable {
  /// The fastest of 921600, 460800 and 230400 baud that board and port both follow, or the one it
  /// opened at.
  case automatic
  /// This one and no other.
  case fixed(LinkSpeed)

  /// `auto` or a number of bits per second that the chip has; nil otherwise.
  public init?(_ text: some StringProtocol) {
    if text == "auto" {
      self = .automatic
      return
    }
    guard let number = Int(text), let speed = LinkSpeed(bitsPerSecond: number),
      speed.terminalSpeed != nil
    else { return nil }
    self = .fixed(speed)
  }

  /// Returns what to try, best first, on a line that opened at `home`.
  func candidates(above home: LinkSpeed) -> [LinkSpeed] {
    switch self {
    case .automatic:
      [.baud921600, .baud460800, .baud230400].filter { $0.rawValue > home.rawValue }
    case .fixed(let speed): [speed]
    }
  }
}
