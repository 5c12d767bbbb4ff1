import JobLists
import Provisioning

extension LineOptions {
  /// What all tags of the line get besides their jobs.
  var given: Set<SourceDescription.Gift> {
    var given: Set<SourceDescription.Gift> = []
    if let protection {
      given.insert(.password)
      if protection.readToo { given.insert(.readPassword) }
    }
    if freezesMirror { given.insert(.frozenMirror) }
    return given
  }
}

extension SourceDescription.Gift {
  /// What a run is told that lacks what the tags of its batch get.
  var reproach: String {
    switch self {
    case .password:
      "The tags of this batch get a password, and this run has none for them. Give it with --set-password."
    case .readPassword:
      "The tags of this batch can be read only with their password. Give --read-too."
    case .frozenMirror:
      "The tags of this batch get their mirror for good. Give --freeze-mirror."
    }
  }
}
