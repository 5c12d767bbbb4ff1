import TagMemory

/// A password or key in raw pages proves itself before anything asks for it.
extension PageWritePlanner {
  /// The step that shows that the tag has the password or the key once its pages of this use are
  /// written; nil where the job writes none, and where what it leaves alone of it is not known.
  func proof(of use: Type2Layout.Use) -> TagProgram.Step? {
    switch use {
    case .password: passwordProof
    case .key: keyProof
    default: nil
    }
  }

  /// Returns whether the job writes `page`, and no step says what it then holds.
  func isUnproven(_ page: Page) -> Bool {
    guard state.map.hides(page) else { return false }
    let isOfKey = state.map.key?.pages.contains(page) ?? false
    let isOfPassword = state.map.configuration.map { $0.password != nil && $0.all ~= page } ?? false
    return !(isOfKey && keyProof != nil) && !(isOfPassword && passwordProof != nil)
  }

  /// What is said of pages that nothing proves.
  static func notProven(_ pages: [Page]) -> TagDescription.Finding {
    let names = NumberRuns.list(pages.map { Int($0.number) })
    return TagDescription.Finding(
      "not-proven",
      "\(pages.count == 1 ? "Page \(names) never shows" : "Pages \(names) never show") what was written there, and this command has nothing to try it with."
    )
  }

  private var passwordProof: TagProgram.Step? {
    guard let place = state.map.configuration, let page = place.password,
      let packPage = place.passwordAcknowledge, pages[page] != nil || pages[packPage] != nil,
      let password = pages[page] ?? state.credential?.password
    else { return nil }
    let pack: [UInt8]? = pages[packPage] ?? state.credential?.pack
    return .enterPassword(password, pack: pack.map { Array($0.prefix(2)) } ?? [nil, nil])
  }

  private var keyProof: TagProgram.Step? {
    guard let key = state.map.key, key.pages.contains(where: { pages[$0] != nil }) else {
      return nil
    }
    let held = state.credential.map { key.pages(of: $0.password) }
    let rows = key.pages.enumerated().compactMap { pages[$1] ?? held?[$0] }
    guard rows.count == key.pages.count else { return nil }
    // The order in which pages hold a key is its own reverse.
    let stored = rows.flatMap(\.self)
    return .enterPassword(key.pages(of: stored).flatMap(\.self), pack: [])
  }
}
