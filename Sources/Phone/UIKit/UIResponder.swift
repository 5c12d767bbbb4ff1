/// An object that hears of events; here the base of what an app's delegates inherit from.
///
/// developer.apple.com: UIResponder.
@preconcurrency @MainActor open class UIResponder: NSObject, UIUserActivityRestoring {
  /// Takes up what the activity is about; here nothing.
  open func restoreUserActivityState(_ activity: NSUserActivity) {}
}

/// An activity can be restored to an object of this protocol.
///
/// developer.apple.com: UIUserActivityRestoring.
@preconcurrency @MainActor public protocol UIUserActivityRestoring: NSObjectProtocol {
  /// Shows what the activity is about.
  func restoreUserActivityState(_ activity: NSUserActivity)
}
