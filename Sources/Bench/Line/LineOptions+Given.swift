import JobLists
import Provisioning

extension LineOptions {
  /// The settings that every tag of the line gets beside its job.
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
  /// The sentence for a run that was started without this setting of its batch.
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
