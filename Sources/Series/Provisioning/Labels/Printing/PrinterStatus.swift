/// What a ZPL printer answers to `~HS`: ZPL II Programming Guide, ~HS (Host Status Return).
///
/// Three strings, each between STX (02h) and ETX (03h), their fields divided by commas:
///
///     string  fields
///     1       aaa,b,c,dddd,eee,f,g,h,iii,j,k,l
///             b paper out, c pause, eee formats in the receive buffer, f buffer full,
///             g diagnostic mode, h partial format, j settings lost, k too cold, l too hot
///     2       mmm,n,o,p,q,r,s,t,uuuuuuuu,v,www
///             o head up, p ribbon out, q thermal transfer, uuuuuuuu labels remaining
///     3       xxxx,y
///             xxxx password, y static RAM installed
package struct PrinterStatus: Hashable, Sendable {
  package var isPaperOut = false
  package var isPaused = false
  package var isBufferFull = false
  package var isDiagnosing = false
  package var hasPartialFormat = false
  package var hasLostSettings = false
  package var isTooHot = false
  package var isHeadOpen = false
  package var isRibbonOut = false
  /// Is true if it prints with a ribbon at all.
  package var usesRibbon = false
  /// Labels in the receive buffer that were not begun.
  package var formatsWaiting = 0

  /// A printer that is ready.
  package init() {}

  /// Returns whether `bytes` have all three strings.
  package static func isWhole(_ bytes: [UInt8]) -> Bool { strings(in: bytes).count >= 3 }

  /// Reads the first three strings of an answer; what stands between them is passed over. Throws
  /// where there are fewer, or where they have other fields.
  package init(parsing bytes: [UInt8]) throws(PrinterStatusError) {
    let strings = Self.strings(in: bytes)
    guard strings.count >= 3 else { throw .isShort }
    let first = try Self.fields(strings[0], atLeast: 12)
    let second = try Self.fields(strings[1], atLeast: 11)
    _ = try Self.fields(strings[2], atLeast: 2)
    (isPaperOut, isPaused) = (try Self.flag(first[1]), try Self.flag(first[2]))
    formatsWaiting = try Self.number(first[4])
    (isBufferFull, isDiagnosing) = (try Self.flag(first[5]), try Self.flag(first[6]))
    (hasPartialFormat, hasLostSettings) = (try Self.flag(first[7]), try Self.flag(first[9]))
    isTooHot = try Self.flag(first[11])
    (isHeadOpen, isRibbonOut) = (try Self.flag(second[2]), try Self.flag(second[3]))
    usesRibbon = try Self.flag(second[4])
  }

  /// What keeps it from printing, the first thing to do first; nil: it is ready. A head that is too
  /// cold warms up as it prints.
  package var obstacle: PrinterObstacle? {
    if isHeadOpen { return .headOpen }
    if isPaperOut { return .paperOut }
    if isRibbonOut, usesRibbon { return .ribbonOut }
    if isTooHot { return .tooHot }
    if hasLostSettings { return .settingsLost }
    if isDiagnosing { return .diagnosing }
    if isPaused { return .paused }
    if isBufferFull { return .bufferFull }
    return hasPartialFormat ? .partialFormat : nil
  }

  /// What stands between STX and ETX.
  private static func strings(in bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var found: [ArraySlice<UInt8>] = []
    var start: Int?
    for (index, byte) in bytes.enumerated() {
      if byte == 0x02 { start = index + 1 }
      guard byte == 0x03, let begin = start else { continue }
      found.append(bytes[begin..<index])
      start = nil
    }
    return found
  }

  private static func fields(
    _ string: ArraySlice<UInt8>, atLeast count: Int
  ) throws(PrinterStatusError) -> [ArraySlice<UInt8>] {
    let fields = string.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    guard fields.count >= count else { throw .hasOtherFields }
    return fields
  }

  private static func flag(_ field: ArraySlice<UInt8>) throws(PrinterStatusError) -> Bool {
    switch Array(field) {
    case [0x30]: return false
    case [0x31]: return true
    default: throw .hasOtherFields
    }
  }

  private static func number(_ field: ArraySlice<UInt8>) throws(PrinterStatusError) -> Int {
    guard !field.isEmpty, field.count <= 8, field.allSatisfy({ (0x30...0x39).contains($0) }) else {
      throw .hasOtherFields
    }
    return field.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }
}

/// Why an answer is no status of a ZPL printer.
package enum PrinterStatusError: Error, Hashable, Sendable {
  /// There are fewer than three strings.
  case isShort
  /// A string has other fields than the guide's.
  case hasOtherFields
}
