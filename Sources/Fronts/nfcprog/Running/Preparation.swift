import Bench
import TagProgramming

/// A job, and what is to be said of what was given before the first tag is touched.
struct Preparation {
  let job: Job
  var remarks = InputRemarks()
  /// What the link on the very tag is held to; nil where all is known before.
  var demand: LinkDemand?

  init(_ job: Job, _ remarks: InputRemarks = InputRemarks()) {
    self.job = job
    self.remarks = remarks
  }
}
