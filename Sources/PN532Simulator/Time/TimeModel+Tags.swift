import PN532

extension TimeModel {
  /// One programming cycle of `tag`.
  func programming(_ tag: any VirtualTag) -> Duration {
    tag.sak & 0x08 != 0 && tag.technology == .a ? classicProgramming : pageProgramming
  }
}
