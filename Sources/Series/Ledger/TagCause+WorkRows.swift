/// What work on a tag ended with.
extension TagCause.Row {
  static let lost = gone("removed too early")
  static let noTag = gone("gone at once")

  private static func gone(_ counted: String) -> Self {
    Self(counted, "Removed too early") {
      $0.failed = .again("it was removed too early; nothing was written")
      ($0.left, $0.held) = ($0.failed, "it was removed too early and may hold its job")
      $0.onlyRead = .again("it was removed too early")
      $0.untouched = .failure
    }
  }

  static let reader = Self("stopped by their reader", "The reader failed") {
    $0.failed = .again("the reader failed; nothing was written")
    ($0.left, $0.held) = ($0.failed, "the reader failed; it may hold its job")
    $0.onlyRead = .again("the reader failed")
    $0.untouched = .failure
  }

  static let refused = Self("locked, protected or worn", "The tag does not accept writes") {
    $0.failed = .aside("it is locked or has a password")
    $0.worn = "it does not accept writes"
    $0.onlyRead = .aside("it does not let itself be read")
    $0.untouched = .failure
  }

  static let mismatch = Self("not keeping the data", "The tag does not keep the data") {
    $0.failed = .aside("it does not keep the written data")
    $0.worn = "it does not keep the written data"
    $0.untouched = .failure
  }

  /// Somebody ended the run: that is nothing that failed.
  static let interrupted = Self("unfinished when the run was ended", "The run ended") {
    $0.failed = .again("the run ends; nothing was written")
    ($0.left, $0.held) = ($0.failed, "it is not finished and may hold its job")
    $0.onlyRead = .again("it is not finished")
    $0.begun = .leftAlone
  }

  static let internalError = Self("stopped by a fault of the program", "The program failed") {
    $0.untouched = .failure
  }
}
