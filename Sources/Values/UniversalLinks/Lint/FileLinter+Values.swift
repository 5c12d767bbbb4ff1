import JSON

extension FileLinter {
  /// True when there is at least one string.
  @discardableResult
  mutating func lintAppIDs(_ value: JSONValue, _ path: JSONPath) -> Bool {
    guard let elements = expect(value, path, "an array of app IDs", \.array) else { return false }
    var lines: [String: Int] = [:]
    for (index, element) in elements.enumerated() {
      guard let text = expect(element, path[index], "a string", \.string) else { continue }
      lintAppID(text, path[index], element.position)
      if let line = lines[text] {
        report(
          .appIDDuplicate, path[index], element.position,
          "\(JSONText.quoted(text)) stands in line \(line) already; once is enough.")
      }
      lines[text] = element.position.line
    }
    return !lines.isEmpty
  }

  mutating func lintAppID(_ text: String, _ path: JSONPath, _ position: JSONPosition) {
    for fault in AppID.faults(in: text) {
      report(fault.code, path, position, fault.message(for: text))
    }
  }

  mutating func lintVariables(_ value: JSONValue, _ path: JSONPath) {
    guard let members = expect(value, path, "an object", \.object) else { return }
    let used = RuleLinter(association).usedVariables
    for member in members {
      let (place, name) = (path[member.name], member.name)
      if name.contains(where: { "$()".contains($0) }) || name.isEmpty {
        report(
          .variableName, place, member.namePosition,
          "The name of a variable must not be empty and holds no $, ( or ). Rename it.")
      } else if !used.contains(name) {
        report(
          .unusedVariable, place, member.namePosition,
          "No pattern uses $(\(name)). Names are compared with upper and lower case.")
      }
      if SubstitutionVariables.predefined.contains(name) {
        report(
          .redefinedVariable, place, member.namePosition,
          """
          $(\(name)) is one of Apple's own variables. Which of the two iOS takes is not \
          documented; use another name.
          """)
      }
      guard let values = expect(member.value, place, "an array of strings", \.array) else {
        continue
      }
      if values.isEmpty {
        report(
          .emptyVariable, place, member.value.position,
          "$(\(name)) has no values, so a pattern that uses it never matches. Add values.")
      }
      for (index, element) in values.enumerated() {
        guard let text = expect(element, place[index], "a string", \.string) else { continue }
        if text.contains("$(") {
          report(
            .nestedVariable, place[index], element.position,
            """
            The values of a variable cannot use variables: iOS takes \(JSONText.quoted(text)) \
            as it stands. Write the values out.
            """)
        }
      }
    }
  }
}
