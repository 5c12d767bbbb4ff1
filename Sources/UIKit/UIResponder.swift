/// An object that hears of events; here the base of what an app's delegates inherit from.
@preconcurrency @MainActor open class UIResponder: NSObject, UIUserActivityRestoring {
  /// Takes up what the activity is about; here nothing.
  open func restoreUserActivityState(_ activity: NSUserActivity) {}
}

/// What an activity can be restored to.
@preconcurrency @MainActor public protocol UIUserActivityRestoring: NSObjectProtocol {
  func restoreUserActivityState(_ activity: NSUserActivity)
}
