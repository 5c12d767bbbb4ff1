/// What somebody who is to find a fault needs to know, as one text that the user reads before it is
/// sent. It holds no key and no password.
package struct ProblemReport: Hashable, Sendable {
  /// A heading and its lines.
  package struct Section: Hashable, Sendable {
    package var title: String
    package var lines: [String]

    package init(_ title: String, _ lines: [String]) { (self.title, self.lines) = (title, lines) }
  }

  package var sections: [Section]

  package init(_ sections: [Section]) { self.sections = sections }

  /// The whole text.
  package var text: String {
    let parts = sections.map { section in
      let lines = section.lines.isEmpty ? ["(nothing)"] : section.lines
      return ([section.title, String(repeating: "-", count: section.title.count)] + lines)
        .joined(separator: "\n")
    }
    return ([Self.preface] + parts).joined(separator: "\n\n") + "\n"
  }

  /// How each report begins.
  package static let title = "Problem report of nfcprog"

  private static let preface = """
    \(title)
    =========================

    Write here what you did, what you expected and what happened.



    Read this file before you send it. Keys and passwords are left out or shown as **. It names the
    readers of this machine with their serial numbers, and the trace has the UIDs and the content
    of tags.
    """
}
