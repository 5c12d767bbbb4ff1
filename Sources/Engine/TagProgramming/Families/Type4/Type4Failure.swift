import TagMemory

extension JobFailure {
  /// Returns what keeps a job from being done on a tag that speaks ISO-DEP.
  static func type4(_ cause: Type4Cause, _ remedy: Remedy?) -> JobFailure {
    JobFailure(.type4(cause), remedy: remedy)
  }

  /// The tag is no NTAG 424 DNA.
  static func noProofs(_ product: Product) -> JobFailure {
    type4(.noProofs(product), .useAnotherTag)
  }

  /// The message, of so many bytes, is longer than what the tag takes.
  static func tooLong(_ byteCount: Int, capacity: Int, on product: Product) -> JobFailure {
    JobFailure(
      .messageTooLong(byteCount: byteCount, capacity: capacity, tag: "\(product)"),
      remedy: .shortenMessage)
  }
}
