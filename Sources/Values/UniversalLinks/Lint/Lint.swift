/// Finds what is wrong with a site association, whether or not a link depends on it.
///
/// Each finding says what stands where, what iOS does with it and how to repair it. The findings
/// come in the order of the file.
package enum Lint {
  /// The findings of a file as it was fetched.
  package static func findings(parsing bytes: some Sequence<UInt8>) -> [Finding] {
    let bytes = Array(bytes)
    do throws(UniversalLinksError) {
      return findings(try SiteAssociation(parsing: bytes))
    } catch {
      return tooLarge(byteCount: bytes.count) + [finding(for: error)]
    }
  }

  /// The findings of a file that could be read.
  package static func findings(_ association: SiteAssociation) -> [Finding] {
    var findings = tooLarge(byteCount: association.document.byteCount)
    if association.document.hasByteOrderMark {
      findings.append(
        Finding(
          .byteOrderMark, .siteAssociation,
          """
          The file begins with a byte-order mark (EF BB BF). JSON must not have one and a parser \
          may refuse the file: save it as UTF-8 without it.
          """))
    }
    var linter = FileLinter(association)
    linter.run()
    findings += linter.findings
    findings += RuleLinter(association).findings()
    findings += masked(in: association)
    return sorted(findings)
  }

  /// The finding that stands for an error of `SiteAssociation.init(parsing:)`.
  static func finding(for error: UniversalLinksError) -> Finding {
    let consequence = "iOS takes no link from it: every link of the domain stays in the browser."
    guard case .json(let cause) = error else {
      return Finding(.notAnObject, .siteAssociation, "\(sentence(error)) \(consequence)")
    }
    let code: Finding.Code =
      switch cause.fault {
      case .notUTF8, .otherEncoding: .notUTF8
      case .tooDeep: .tooDeep
      default: .notJSON
      }
    return Finding(
      code, .json(cause.path, cause.position),
      "The file cannot be read at \(cause.position): \(cause.fault). \(consequence)")
  }

  private static func tooLarge(byteCount: Int) -> [Finding] {
    guard byteCount > SiteAssociation.byteLimit else { return [] }
    return [
      Finding(
        .fileTooLarge, .siteAssociation,
        """
        The file has \(byteCount) bytes; iOS takes \(SiteAssociation.byteLimit) at most, \
        uncompressed, and ignores a larger file. Join rules with * and leave comments out.
        """)
    ]
  }

  /// `error` as a sentence of its own.
  static func sentence(_ error: some Error) -> String {
    let text = "\(error)"
    return text.prefix(1).uppercased() + text.dropFirst() + "."
  }

  /// In the order of the file; what concerns all of it comes first.
  private static func sorted(_ findings: [Finding]) -> [Finding] {
    func rank(_ index: Int) -> (Int, Int, Int) {
      guard case .json(_, let position) = findings[index].place else { return (0, 0, index) }
      return (position.line, position.column, index)
    }
    return findings.indices.sorted { rank($0) < rank($1) }.map { findings[$0] }
  }
}
