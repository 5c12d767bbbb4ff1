/// An option's value with named parts: `https://example.com/,title=Hello,action=open`.
///
/// The first part is the value proper. A part begins at a comma that one of the known names and `=`
/// follow, so that other commas are part of the text. A name may carry a tag behind a colon:
/// `title:de=Hallo`.
package struct KeyedText: Hashable {
  package struct Part: Hashable {
    package let name: String
    /// What stands behind the name's colon.
    package let tag: String?
    package let text: String

    package init(name: String, tag: String?, text: String) {
      self.name = name
      self.tag = tag
      self.text = text
    }
  }

  package let value: String
  package let parts: [Part]

  package init(_ text: String, names: Set<String>) {
    var pieces: [String] = []
    for piece in text.split(separator: ",", omittingEmptySubsequences: false) {
      if !pieces.isEmpty, Self.part(piece, names) == nil {
        pieces[pieces.count - 1] += "," + piece
      } else {
        pieces.append(String(piece))
      }
    }
    value = pieces.first ?? ""
    parts = pieces.dropFirst().compactMap { Self.part($0, names) }
  }

  private static func part(_ piece: some StringProtocol, _ names: Set<String>) -> Part? {
    guard let equals = piece.firstIndex(of: "=") else { return nil }
    let words = piece[..<equals].split(
      separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let name = words.first.map { "\($0)" } ?? ""
    guard names.contains(name) else { return nil }
    return Part(
      name: name, tag: words.count > 1 ? "\(words[1])" : nil,
      text: String(piece[piece.index(after: equals)...]))
  }
}
