extension String {
  /// The first character that does not show, or looks like a blank and is none: two codes that
  /// differ in it alone are one to whoever reads them. What joins or changes the letter before it
  /// shows, as in emoji and in Persian, unless that is one of ASCII.
  var firstUnseen: Unicode.Scalar? {
    guard !utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return nil }
    var previous: Unicode.Scalar?
    for scalar in unicodeScalars {
      if scalar.isUnseen(behind: previous) { return scalar }
      previous = scalar
    }
    return nil
  }
}

extension Unicode.Scalar {
  fileprivate func isUnseen(behind previous: Unicode.Scalar?) -> Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    case .spaceSeparator: self != " "
    default:
      properties.isDefaultIgnorableCodePoint
        && (previous?.isASCII ?? true
          || !properties.isJoinControl && !properties.isVariationSelector)
    }
  }
}
