import Bytes

/// Why a reader that is there cannot be opened, and the command that mends it.
public enum Obstacle: Hashable, Sendable {
  /// The device file is closed to this user; `group` may open it.
  case noPermission(path: String, group: String?)
  /// Another program has the device open.
  case held(by: String)
  /// A driver of the kernel has taken the USB reader.
  case kernelDriver(String)

  static func noPermission(path: String) -> Obstacle {
    .noPermission(path: path, group: FileSystem.group(of: path))
  }

  /// A clause that says what stands in the way.
  public var reason: String {
    switch self {
    case .noPermission(let path, _): "this user may not open \(path)"
    case .held(let holder): "\(holder) holds it"
    case .kernelDriver(let driver): "the kernel driver \(driver) has taken it"
    }
  }

  /// What to run; nil where that depends on the program in the way.
  public var remedy: String? {
    switch self {
    case .noPermission(_, "root"?), .noPermission(_, nil):
      "write a udev rule that gives the device to your group, then plug the reader in again"
    case .noPermission(_, let group?): "sudo usermod -aG \(group) $USER, then log in again"
    case .held(let holder) where holder.contains("pcscd"):
      "sudo systemctl stop pcscd.socket pcscd"
    case .held: nil
    case .kernelDriver: "sudo modprobe -r pn533_usb pn533 nfc"
    }
  }
}

extension Obstacle: CustomStringConvertible {
  /// The reason, then the remedy.
  public var description: String { remedy.map { "\(reason); \($0)" } ?? reason }
}
