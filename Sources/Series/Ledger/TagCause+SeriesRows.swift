/// What keeps a tag from getting a job.
extension TagCause.Row {
  static let journal = Self("not recorded", "The journal cannot be written") {
    $0.failed = .aside("the journal cannot be written; call the line engineer")
    $0.left = .again("the journal cannot be written; call the line engineer")
    $0.held = "the journal cannot be written; set the tag aside and call the line engineer"
    $0.onlyRead = .again("it cannot be recorded; call the line engineer")
  }

  static let database = Self("without the database", "The database is away") {
    $0.failed = .again("the database is away")
    ($0.left, $0.held) = ($0.failed, "the database is away; it may hold its job")
    $0.begun = .none
  }

  static let outrun = Self("outrun by other benches", "Other benches were quicker") {
    $0.left = .again("other benches were quicker")
  }

  static let noJob = Self("not needed", "No job is left for it") {
    $0.left = .init(.aside, "not needed", "no job is left; keep it for another list")
  }

  static let noScan = Self("without a code", "No code was scanned") {
    $0.left = .again("no code was scanned for it")
  }

  static let inUse = Self("at another station", "Another station has this tag") {
    $0.left = .init(.again, "wait", "another station has a tag with this number")
  }

  static let defectiveJob = Self("without a message", "No message can be made of its job")
}

/// What others have decided about a tag or its job.
extension TagCause.Row {
  static let released = Self("whose job was released", "Its job was given to another tag") {
    $0.failed = .bin("its job was given to another tag")
    $0.untouched = .failure
  }

  static let conflict = Self(
    "contradicted by the database", "The database contradicts its bench; nobody may use it"
  ) {
    $0.failed = .bin("the database contradicts this bench about its job; nobody may use it")
    $0.untouched = .failure
  }

  static let elsewhere = Self("at another bench", "Another bench has its job") {
    $0.left = .aside("another bench has its job")
    $0.begun = .none
  }

  static let pool = Self("not granted", "The pool did not give it the job") { $0.begun = .none }

  static let restored = Self(
    "unknown to a restored database", "The database was restored from a backup"
  ) { $0.begun = .none }

  static let reset = Self("given back as delivered", "It was given back as delivered") {
    $0.begun = .none
  }
}

/// What an inspection has found, or waits for, and what a label shows.
extension TagCause.Row {
  static let label = Self(
    "whose label was not scanned, or is another's", "Its label was not scanned"
  ) {
    $0.left = .aside("its label is to be scanned")
    $0.held = "its label was not shown to be its own"
    $0.heldBin = .aside
  }

  static let inspection = Self("with a failed inspection", "Its inspection failed")
  static let unknown = Self("not of this series", "The journal does not list it") {
    $0.onlyRead = .aside("it is not expected")
  }
  static let inspectFirst = Self("before an inspection", "Another tag waits for its inspection")
}
