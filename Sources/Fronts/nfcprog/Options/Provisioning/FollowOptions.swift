import ArgumentParser

/// When a run that only reads ends, other than by `--count`.
struct FollowOptions: ParsableArguments {
  @Flag(help: "Wait for tags until Ctrl-C, however long none comes.")
  var follow = false

  func requireOneEnd(_ stations: StationOptions) throws(ValidationError) {
    guard follow, stations.count != nil else { return }
    throw ValidationError("Give --count or --follow, not both.")
  }
}
