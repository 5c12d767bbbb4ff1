/// A window; it shows nothing.
///
/// developer.apple.com: UIWindow.
@preconcurrency @MainActor open class UIWindow: UIResponder {
  /// The controller of the window's content.
  open var rootViewController: UIViewController?

  /// A window.
  public override init() { super.init() }

  /// A window.
  public init(windowScene: UIWindowScene) { super.init() }

  /// Shows the window. Does nothing here.
  open func makeKeyAndVisible() {}
}

/// A view controller controls a view; here it is a place for an app's code.
///
/// developer.apple.com: UIViewController.
@preconcurrency @MainActor open class UIViewController: UIResponder {
  /// The title is the name of the screen.
  open var title: String?
  /// This screen lies over this one.
  open private(set) var presentedViewController: UIViewController?
  private var hasLoaded = false

  /// A controller without a view.
  public override init() { super.init() }

  /// The view was loaded.
  open func viewDidLoad() {}
  /// The view is about to be shown.
  open func viewWillAppear(_ animated: Bool) {}
  /// The view is shown.
  open func viewDidAppear(_ animated: Bool) {}
  /// The view is about to be hidden.
  open func viewWillDisappear(_ animated: Bool) {}
  /// The view is hidden.
  open func viewDidDisappear(_ animated: Bool) {}

  /// Calls `viewDidLoad()`, once.
  open func loadViewIfNeeded() {
    guard !hasLoaded else { return }
    hasLoaded = true
    viewDidLoad()
  }

  /// Notes the controller as the one that lies over this one, and calls `completion`.
  open func present(
    _ viewControllerToPresent: UIViewController, animated flag: Bool,
    completion: (() -> Void)? = nil
  ) {
    presentedViewController = viewControllerToPresent
    viewControllerToPresent.loadViewIfNeeded()
    completion?()
  }

  /// Removes the controller that lies over this one, and calls `completion`.
  open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {
    presentedViewController = nil
    completion?()
  }
}

/// A message with buttons; it waits for nobody.
///
/// developer.apple.com: UIAlertController.
@preconcurrency @MainActor open class UIAlertController: UIViewController {
  /// How an alert is shown.
  public enum Style: Int, Sendable {
    /// A list of actions.
    case actionSheet
    /// A message with buttons.
    case alert
  }

  /// The text below the title.
  open var message: String?
  /// How the alert is shown.
  public let preferredStyle: Style
  /// The buttons, in their order.
  open private(set) var actions: [UIAlertAction] = []

  /// An alert with this title and text.
  public init(title: String?, message: String?, preferredStyle: Style) {
    self.preferredStyle = preferredStyle
    super.init()
    (self.title, self.message) = (title, message)
  }

  /// Adds a button behind the others.
  open func addAction(_ action: UIAlertAction) { actions.append(action) }
}

/// A button of an alert.
///
/// developer.apple.com: UIAlertAction.
@preconcurrency @MainActor open class UIAlertAction: NSObject {
  /// A style says what a button means.
  public enum Style: Int, Sendable {
    /// An ordinary action.
    case `default`
    /// Nothing is done.
    case cancel
    /// Something is lost.
    case destructive
  }

  /// The button's text.
  public let title: String?
  /// The style says what the button means.
  public let style: Style
  private let handler: ((UIAlertAction) -> Void)?

  /// A button that calls `handler`.
  public init(title: String?, style: Style, handler: ((UIAlertAction) -> Void)? = nil) {
    (self.title, self.style, self.handler) = (title, style, handler)
    super.init()
  }

  /// Calls the handler, as a tap on the button does. Only here, not in Apple's UIKit.
  public func press() { handler?(self) }
}
