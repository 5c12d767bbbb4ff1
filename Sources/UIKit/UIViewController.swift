/// A window; it shows nothing.
@preconcurrency @MainActor open class UIWindow: UIResponder {
  open var rootViewController: UIViewController?

  public override init() { super.init() }

  public init(windowScene: UIWindowScene) { super.init() }

  open func makeKeyAndVisible() {}
}

/// What controls a view; here a place for an app's code.
@preconcurrency @MainActor open class UIViewController: UIResponder {
  open var title: String?
  /// What lies over this one.
  open private(set) var presentedViewController: UIViewController?
  private var hasLoaded = false

  public override init() { super.init() }

  open func viewDidLoad() {}
  open func viewWillAppear(_ animated: Bool) {}
  open func viewDidAppear(_ animated: Bool) {}
  open func viewWillDisappear(_ animated: Bool) {}
  open func viewDidDisappear(_ animated: Bool) {}

  /// Calls `viewDidLoad()`, once.
  open func loadViewIfNeeded() {
    guard !hasLoaded else { return }
    hasLoaded = true
    viewDidLoad()
  }

  open func present(
    _ viewControllerToPresent: UIViewController, animated flag: Bool,
    completion: (() -> Void)? = nil
  ) {
    presentedViewController = viewControllerToPresent
    viewControllerToPresent.loadViewIfNeeded()
    completion?()
  }

  open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {
    presentedViewController = nil
    completion?()
  }
}

/// A message with buttons; it waits for nobody.
@preconcurrency @MainActor open class UIAlertController: UIViewController {
  public enum Style: Int, Sendable { case actionSheet, alert }

  open var message: String?
  public let preferredStyle: Style
  open private(set) var actions: [UIAlertAction] = []

  public init(title: String?, message: String?, preferredStyle: Style) {
    self.preferredStyle = preferredStyle
    super.init()
    (self.title, self.message) = (title, message)
  }

  open func addAction(_ action: UIAlertAction) { actions.append(action) }
}

/// A button of an alert.
@preconcurrency @MainActor open class UIAlertAction: NSObject {
  public enum Style: Int, Sendable { case `default`, cancel, destructive }

  public let title: String?
  public let style: Style
  private let handler: ((UIAlertAction) -> Void)?

  public init(title: String?, style: Style, handler: ((UIAlertAction) -> Void)? = nil) {
    (self.title, self.style, self.handler) = (title, style, handler)
    super.init()
  }

  /// The bench's finger.
  public func press() { handler?(self) }
}
