import RecordText

/// Something of a list that is taken, and that its maker may have meant otherwise.
package struct ListRemark: Hashable, Sendable, CustomStringConvertible {
  /// Stable, for programs.
  package let code: String
  /// Full sentences.
  package let text: String

  package var description: String { "Note (\(code)): \(text)" }

  /// Of the columns: an address that no record uses, and what looks like a column that configures
  /// tags and is none.
  static func of(_ header: Header, shown: Set<Int>) -> [ListRemark] {
    let bound = header.uid.map { index in
      ListRemark(
        code: "rows-for-tags",
        text:
          "The column \(RecordTextError.quoted(header.names[index])) names the tag of each row: tags may come in any order, and one that the list does not name is left alone."
      )
    }
    return [bound].compactMap(\.self)
      + header.names.indices.compactMap { index in
        guard !shown.contains(index), !header.configuring.contains(index) else { return nil }
        let name = RecordTextError.quoted(header.names[index])
        if index == header.url {
          return ListRemark(
            code: "url-unused",
            text:
              "The column \(name) is not used: the message is made of the template alone. Leave the template out to write the column's addresses, or name the column in it."
          )
        }
        guard let (column, effect) = meanings[plain(header.names[index])],
          header.index(of: column) == nil
        else {
          return nil
        }
        return ListRemark(
          code: "column-unused",
          text:
            "The column \(name) is not used, and \(effect). A column for that is called \(column)."
        )
      }
  }

  /// A template for a list without a column `url`.
  static func template(for header: Header) -> String? {
    let open = header.names.indices.filter { !header.configuring.contains($0) }
    let address = open.first { meanings[plain(header.names[$0])]?.column == "url" }
    if let address { return "{\(header.names[address]):raw}" }
    return open.first.map { "https://example.com/{\(header.names[$0])}" }
  }

  /// The letters and digits of a name.
  private static func plain(_ name: String) -> String {
    name.lowercased().filter { $0.isLetter || $0.isNumber }
  }

  /// What a column may be meant for, by its name's letters: the column that does it, and what does
  /// not happen without it.
  private static let meanings: [String: (column: String, effect: String)] = {
    var meanings: [String: (String, String)] = [:]
    for name in [
      "readonly", "ro", "locked", "locktag", "islocked", "writeprotect", "writeprotected",
      "writeprotection", "permanentlock", "makereadonly",
    ] {
      meanings[name] = ("lock", "no tag is locked by it")
    }
    for name in ["pwd", "pass", "passwd", "passcode", "pin", "tagpassword", "protect"] {
      meanings[name] = ("password", "no tag is protected by it")
    }
    for name in ["tagtype", "chip", "chiptype", "type", "product", "ictype"] {
      meanings[name] = ("tag", "every type of tag gets its rows")
    }
    for name in ["uri", "link", "href", "weburl", "website", "address", "tagurl"] {
      meanings[name] = ("url", "its addresses are not written")
    }
    for name in ["taguid", "nfcuid", "uidhex", "oldpwd", "oldpassword", "supplierpassword"] {
      let isPassword = name.contains("p")
      meanings[name] =
        isPassword
        ? ("old-password", "it opens no tag") : ("uid", "rows go on tags in the list's order")
    }
    return meanings
  }()
}
