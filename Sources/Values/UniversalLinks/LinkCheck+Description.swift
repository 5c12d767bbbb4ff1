extension LinkCheck: CustomStringConvertible {
  /// One sentence: what opens.
  public var description: String {
    let name = uri.map { $0.isEmpty ? "The empty link" : $0 } ?? "The tag"
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
    case .unknown where !findings.contains(where: { $0.code == .unplacedAssociation }):
      "\(name): it is not certain that it wakes \(wouldWake.joined(separator: ", "))."
    case .unknown:
      """
      \(name) would wake \(wouldWake.joined(separator: ", ")), if this file were at its host: that is \
      not known.
      """
    }
  }
}
