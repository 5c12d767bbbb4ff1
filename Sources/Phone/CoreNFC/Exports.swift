// As on a phone: much code that works with tags imports nothing else.
@_exported import Dispatch
@_exported import Foundation
@_exported import UserActivity

#if !canImport(Darwin)
  /// The integer of Objective-C's Foundation.
  public typealias NSInteger = Int

  /// `String(format: "%@", data as CVarArg)` prints what Foundation prints of the bytes on Apple's
  /// systems: `{length = 2, bytes = 0x0102}`.
  // swift-format-ignore: AvoidRetroactiveConformances
  extension Data: @retroactive CVarArg {
    public var _cVarArgEncoding: [Int] {
      let bytes = map { String(format: "%02x", $0) }.joined()
      let text = NSString(string: "{length = \(count), bytes = 0x\(bytes)}")
      // Whoever prints it has no other hold on the text, so that it is never given back.
      return unsafe [Int(bitPattern: Unmanaged.passRetained(text).toOpaque())]
    }
  }
#endif
