import Foundation
import UserActivity

#if canImport(Darwin)
  import ObjectiveC

  nonisolated(unsafe) private var messageKey: UInt8 = 0
#endif

extension NSUserActivity {
  /// The message on the tag that has led to this activity; one empty record where none has.
  public var ndefMessagePayload: NFCNDEFMessage {
    #if canImport(Darwin)
      let message = unsafe objc_getAssociatedObject(self, &messageKey) as? NFCNDEFMessage
    #else
      let message = tagMessage as? NFCNDEFMessage
    #endif
    return message
      ?? NFCNDEFMessage(records: [
        NFCNDEFPayload(format: .empty, type: Data(), identifier: Data(), payload: Data())
      ])
  }

  /// The activity of a link on a tag that holds `message`.
  convenience init(link: URL, of message: NFCNDEFMessage) {
    self.init(activityType: NSUserActivityTypeBrowsingWeb)
    webpageURL = link
    #if canImport(Darwin)
      unsafe objc_setAssociatedObject(
        self, &messageKey, message, .OBJC_ASSOCIATION_RETAIN_NONATOMIC)
    #else
      tagMessage = message
    #endif
  }
}
