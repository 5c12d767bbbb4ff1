import TagMemory

/// The settings in CFG0 and CFG1 that a chip gets together with its password (NTAG213/215/216,
/// 8.5.7; NTAG210/212, 8.5.6; MF0ULX1, 8.5.6). What is nil stays as it is.
package struct ChipSettings: Hashable, Sendable {
  /// AUTH0: the first page that needs the password; nil: page 2, with the lock bytes.
  package var firstPage: Page?
  /// AUTHLIM: so many wrong passwords in a row close what the password protects for good, even to
  /// the right one. 0: wrong ones are not counted.
  package var attemptLimit: Int?
  /// NFC_CNT_EN: whether the tag counts its readings.
  package var countsReads: Bool?
  /// CFGLCK: nobody changes any of this again. The password itself can still be changed.
  package var freezes = false

  package init() {}

  /// One of them, as a chip may lack it.
  package enum Setting: Hashable, Sendable, CaseIterable {
    case firstPage, attemptLimit, readCounter, freeze
  }

  /// Returns whether they take something away for good from a tag with this configuration: that it
  /// bears any number of wrong passwords, or that its configuration can be changed.
  func isForGood(on current: Configuration) -> Bool {
    attemptLimit.map { $0 != 0 && $0 != current.attemptLimit } ?? false
      || freezes && !current.isLocked
  }

  /// The settings that are given.
  private var given: [Setting] {
    [
      firstPage.map { _ in Setting.firstPage }, attemptLimit.map { _ in .attemptLimit },
      countsReads.map { _ in .readCounter }, freezes ? .freeze : nil,
    ].compactMap(\.self)
  }

  /// Throws where a `product` with this memory has not all of them.
  func require(of product: Product, _ map: Type2Map) throws(JobFailure) {
    let style = map.configuration?.style
    let isKnown = style != nil && style != .ultralightAES
    if let missing = given.first(where: { setting in
      !isKnown || setting == .readCounter && style?.hasReadCounter != true
    }) {
      throw JobFailure(.type2(.noSetting(missing, product)), remedy: .useAnotherTag)
    }
    // Behind the user memory no page proves that the tag refuses a write.
    let pages = Page.staticLocks...map.user.upperBound
    if let firstPage, !pages.contains(firstPage) {
      throw JobFailure(
        .type2(.firstPageOutside(firstPage, product, allowed: pages)), remedy: .useAnotherTag)
    }
  }
}
