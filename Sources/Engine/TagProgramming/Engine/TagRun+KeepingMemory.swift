import Readers
import TagMemory

/// What a tag held is read before it is lost.
extension TagRun {
  /// Reads the whole memory once, for whoever keeps it, and leaves the tag selected for the first
  /// step.
  func keepMemory(_ pass: PassContext) throws(Setback) {
    guard let keep = programmer.keepMemory, !course.isMemoryKept, !programmer.shouldStop() else {
      return
    }
    let (_, state) = try lookAfresh(for: .dump, pass)
    course.isMemoryKept = true
    keep(session.tag, Family.describe(state, for: .dump).dump)
    try surveying { () throws(ReaderError) in try session.selectAgain() }
  }
}
