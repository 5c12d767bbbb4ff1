import JSON
import WebAddress

/// Looks at one pattern of a rule.
struct PatternLinter {
  let text: String
  let kind: Component.PatternKind
  let place: Finding.Place
  let component: Component
  let variables: SubstitutionVariables

  func findings() -> [Finding] {
    kindFindings() + encodingFindings() + variableFindings()
  }

  private var name: String { JSONText.quoted(text) }

  private func finding(_ code: Finding.Code, _ message: String) -> Finding {
    Finding(code, place, message)
  }

  // MARK: What belongs to which key

  private func kindFindings() -> [Finding] {
    var findings: [Finding] = []
    if text.contains("&"), kind != .queryItem {
      findings.append(
        finding(
          .ampersand,
          kind == .query
            ? """
            \(name) matches its parameters in this order only, and no others. Write "?" as an \
            object, { "name": "value" }, which takes them in any order.
            """
            : """
            \(name) holds an &, which has no special meaning in a pattern and rarely stands in a \
            path or fragment. Parameters belong in "?"; &amp; is HTML, not JSON.
            """))
    }
    switch kind {
    case .path: findings += pathFindings()
    case .query where text.hasPrefix("?") && text.contains("="):
      findings.append(leadingMark("?"))
    case .fragment where text.hasPrefix("#"): findings.append(leadingMark("#"))
    case .query, .queryItem, .fragment: break
    }
    return findings
  }

  private func leadingMark(_ mark: String) -> Finding {
    finding(
      .leadingMark,
      mark == "?"
        ? """
        \(name) begins with a ?, which stands for one more character in front. The query is compared \
        without its question mark: leave the ? out.
        """
        : """
        \(name) begins with a #. The fragment is compared without it, so this never matches: leave \
        the # out.
        """)
  }

  private func pathFindings() -> [Finding] {
    var findings: [Finding] = []
    if text.contains("#") {
      findings.append(
        finding(
          .hashInPath,
          """
          \(name) holds a #, but a path ends before it, so this never matches. Put what follows the \
          # into the "#" key.
          """))
    }
    if text.contains("://") {
      findings.append(
        finding(
          .urlInPath,
          """
          \(name) is compared with the path alone, from the first / behind the host, and never \
          matches. Leave the scheme and the host out.
          """))
    } else if let mark = text.firstIndex(of: "?"), text[mark...].contains("=") {
      findings.append(
        finding(
          .queryInPath,
          """
          In \(name) the ? stands for one character; a path ends before the query. \
          \(component.isOldPath ? "Old paths cannot look at the query: use components."
          : "Put the parameters into the \"?\" key.")
          """))
    }
    if !component.isOldPath, text.hasPrefix(Component.exclusionPrefix) {
      findings.append(
        finding(
          .notInComponent,
          """
          NOT is for old "paths". In a component \(name) is a path that no link has: write \
          "exclude": true.
          """))
    }
    if Pattern.beginsWithWildcardAndSlash(text) {
      findings.append(
        finding(
          .wildcardBeforeSlash,
          """
          Whether the first character of \(name) may stand for the / that every path begins with \
          is not documented; here it does not. Begin the pattern with /.
          """))
    }
    return findings
  }

  // MARK: Percent-encoding

  private func encodingFindings() -> [Finding] {
    let escape = text.unicodeScalars.contains("%") && PercentEncoding.decode(text) != text
    if !component.isPercentEncoded, escape {
      return [
        finding(
          .encodedPattern,
          """
          "percentEncoded" is false, so the link is decoded before it is compared and the escapes \
          in \(name) never match. Write the characters themselves.
          """)
      ]
    }
    guard component.isPercentEncoded, !text.hasPrefix(Component.exclusionPrefix) else { return [] }
    let literals = PatternPiece.pieces(of: text).compactMap { piece -> Unicode.Scalar? in
      if case .literal(let value) = piece { Unicode.Scalar(value) } else { nil }
    }
    let strays = literals.filter { scalar in
      !Address.isPathCharacter(scalar) && !["/", "?", "%", "#"].contains(scalar)
    }
    if let stray = strays.first {
      return [
        finding(
          .unencodedPattern,
          """
          \(name) holds \(JSONText.quoted(String(Character(stray)))), which stands percent-encoded in \
          a URL, so this never matches. Write \
          \(PercentEncoding.encode(String(Character(stray))) { _ in false }), or set \
          "percentEncoded" to false.
          """)
      ]
    }
    if PercentEncoding.hasLowerCaseDigits(text), component.isCaseSensitive {
      return [
        finding(
          .lowerCaseEscape,
          """
          The escapes in \(name) have lower-case digits, and iOS compares them as they stand: %c3 \
          is not %C3. Links mostly have upper case.
          """)
      ]
    }
    return []
  }

  // MARK: Variables

  private func variableFindings() -> [Finding] {
    var findings: [Finding] = []
    var seen: Set<String> = []
    for case .variable(let variable) in PatternPiece.pieces(of: text)
    where !variables.defines(variable) && seen.insert(variable).inserted {
      let near = (Array(variables.custom.keys) + SubstitutionVariables.predefined).sorted()
        .first { $0.lowercased() == variable.lowercased() }
      findings.append(
        finding(
          .undefinedVariable,
          """
          $(\(variable)) in \(name) is not defined, so this never matches. \
          \(near.map { "Upper and lower case count: write $(\($0))." }
            ?? "Add it to \"substitutionVariables\".")
          """))
    }
    let open = PatternPiece.pieces(of: text)
    if zip(open, open.dropFirst()).contains(where: { $0 == .dollar && $1 == .parenthesis }) {
      findings.append(
        finding(
          .unclosedVariable,
          "In \(name) a $( has no ) behind it and is compared as it stands. Close it."))
    }
    if findings.isEmpty, case .pattern(.tooLarge) = compilingError() {
      findings.append(
        finding(
          .patternTooLarge,
          """
          With its variables put in, \(name) is longer than \(Pattern.sizeLimit) characters, more \
          than is tried here. Use fewer variables or *.
          """))
    }
    return findings
  }

  private func compilingError() -> UniversalLinksError? {
    do throws(UniversalLinksError) {
      _ = try Pattern.elements(
        of: text, variables: variables, foldsCase: false, isPath: kind == .path)
      return nil
    } catch {
      return error
    }
  }
}

extension PatternPiece {
  fileprivate static let dollar = PatternPiece.literal(0x24)
  fileprivate static let parenthesis = PatternPiece.literal(0x28)
}
