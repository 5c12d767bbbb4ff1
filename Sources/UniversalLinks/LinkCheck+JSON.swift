extension LinkCheck {
  /// The result as one line of JSON.
  ///
  ///     url        the URI, or null
  ///     wakesApp   whether it is shown that an app is woken
  ///     opens      "app", "appClip", "browser", "system", "nothing", or "unknown"
  ///     appIDs     the apps or App Clips that open it
  ///     wouldWake  where opens is "unknown": the apps that would be woken if the file that was
  ///                given were at the link's host, or devices got it; absent where there is none
  ///     decidedBy  null, or the rule that settles it: appID, path (JSON path), line, rule,
  ///                exclude, message, and tried, a sentence for each rule before it
  ///     findings   severity ("error", "warning" or "note"), code, message, where
  public var json: String { json() }

  /// The same for the tag that it was read from: `uid` (hexadecimal) and `tag` come first; `android`, an object as text, comes
  /// last, behind `iphone`, which repeats `wakesApp` and `opens`.
  public func json(uid: String? = nil, tag: String? = nil, android: String? = nil) -> String {
    let head = [("uid", uid), ("tag", tag)].compactMap { name, value in
      value.map { (name, JSONText.string($0)) }
    }
    let text = JSONText.object(head + members).line
    guard let android else { return text }
    let iphone = JSONText.object([
      ("wakesApp", .bool(wakesApp)), ("opens", .string(opens.rawValue)),
    ]).line
    return text.dropLast() + ",\"iphone\":\(iphone),\"android\":\(android)}"
  }

  private var members: [(String, JSONText)] {
    let opening: [(String, JSONText)] = [
      ("url", uri.map(JSONText.string) ?? .null),
      ("wakesApp", .bool(wakesApp)),
      ("opens", .string(opens.rawValue)),
      ("appIDs", .array(appIDs.map(JSONText.string))),
    ]
    let possible: [(String, JSONText)] =
      wouldWake.isEmpty ? [] : [("wouldWake", .array(wouldWake.map(JSONText.string)))]
    return opening + possible + [
      ("decidedBy", decidedBy.flatMap(Self.text) ?? .null),
      ("findings", .array(findings.map(JSONText.init))),
    ]
  }

  private static func text(_ verdict: Verdict) -> JSONText? {
    guard let rule = verdict.decidedBy else { return nil }
    return .object([
      ("appID", .string(verdict.appID)),
      ("path", .string("\(rule.path)")),
      ("line", .number(rule.position.line)),
      ("rule", .string("\(rule)")),
      ("exclude", .bool(rule.isExclusion)),
      ("message", .string("\(verdict)")),
      ("tried", .array(verdict.steps.dropLast().map { .string("\($0)") })),
    ])
  }
}

extension LinkCheck: CustomStringConvertible {
  /// One sentence: what opens.
  public var description: String {
    let name = uri ?? "The tag"
    return switch opens {
    case .app: "\(name) wakes \(appIDs.joined(separator: ", "))."
    case .appClip: "\(name) wakes no app; it may offer the App Clip \(appIDs[0])."
    case .browser: "\(name) wakes no app; it opens in the browser."
    case .system: "\(name) wakes no app of yours; it opens an app of the system."
    case .nothing: "\(name) wakes no app; an iPhone does nothing with it."
    case .unknown where wouldWake.isEmpty: "\(name): it is not known whether it wakes an app."
    case .unknown where isUndecided:
      """
      \(name) may wake \(wouldWake.joined(separator: ", ")): it is not known whether devices get the \
      site's file.
      """
    case .unknown:
      """
      \(name) would wake \(wouldWake.joined(separator: ", ")), if this file were at its host: that is \
      not known.
      """
    }
  }
}
