extension SimulatedTagSpec {
  /// The specifications of tags that are laid down one after another, joined by `then=`:
  ///
  ///     ntag213,file=a.tag,then=ntag215,file=b.tag,then=classic1k*3
  ///
  /// Each has options of its own. Default UIDs go on counting, so no two tags share one; tags with
  /// the same `file` are one tag, laid down again.
  package static func turns(
    parsing text: some StringProtocol
  ) throws(VirtualTagError) -> [SimulatedTagSpec] {
    let body = text.hasPrefix("sim:") ? text.dropFirst(4) : text[...]
    let marker = "then="
    var turns: [[String]] = [[]]
    for piece in body.split(separator: ",", omittingEmptySubsequences: false) {
      if piece.hasPrefix(marker) {
        turns.append([String(piece.dropFirst(marker.count))])
      } else {
        turns[turns.count - 1].append(String(piece))
      }
    }
    return try list(turns.map { $0.joined(separator: ",") })
  }

  /// Several specifications, one turn each; default UIDs go on counting.
  package static func list(
    _ texts: [String]
  ) throws(VirtualTagError) -> [SimulatedTagSpec] {
    var specs: [SimulatedTagSpec] = []
    var count = 0
    for text in texts {
      let spec = try SimulatedTagSpec(parsing: text, firstIndex: count)
      specs.append(spec)
      count += spec.tagCount
    }
    return specs
  }
}

extension [SimulatedTagSpec] {
  /// The board that tags laid down in turn share: it differs in every way that one of them says;
  /// the last one counts.
  package var board: BoardDeviations {
    var board = BoardDeviations()
    for (key, value) in flatMap(\.deviationOptions) {
      var tag = TagDeviations()
      _ = DeviationOption.all.first { $0.key == key }?.apply(value, &board, &tag)
    }
    return board
  }
}
