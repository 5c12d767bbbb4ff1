import PN532

extension TimeModel {
  /// One programming cycle of `tag`.
  func programming(_ tag: any VirtualTag) -> Duration {
    tag.programmingTime ?? (tag.isClassic ? classicProgramming : pageProgramming)
  }
}
