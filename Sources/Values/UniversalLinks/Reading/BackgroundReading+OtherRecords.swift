import NDEF

extension BackgroundReading {
  static let noURIMessage = """
    The message has no record of well-known type U. An iPhone looks for nothing else, so it does \
    nothing: write a URI record, as the first.
    """

  /// What an iPhone does with a record of a message that has no URI record.
  func finding(about record: Record, at index: Int) -> Finding {
    let place = Finding.Place.record(index)
    func ignored(_ name: String) -> Finding {
      Finding(
        .recordIgnored, place,
        "An iPhone ignores \(name) in background reading.")
    }
    return
      switch (record.typeNameFormat, record.typeName)
    {
    case (.wellKnown, "Sp"):
      Finding(
        .smartPosterOnly, place,
        """
        The URI is inside a Smart Poster. Apple names records of type U only: write the URI \
        as a separate record, in front.
        """)
    case (.absoluteURI, _):
      Finding(
        .absoluteURIRecord, place,
        """
        The URI stands in an absolute-URI record (TNF 3), which is not looked at: write a \
        well-known record of type U.
        """)
    case (.wellKnown, "T"): ignored("a Text record")
    case (.wellKnown, let type): ignored("a well-known record of type \(type)")
    case (.media, let type): ignored("a media record (\(type))")
    case (.external, "android.com:pkg"): ignored("an Android application record")
    case (.external, let type): ignored("an external record (\(type))")
    case (.empty, _): ignored("an empty record")
    default: ignored("a record of unknown type")
    }
  }
}
