import TagProgramming

/// What a job is made of, without a reader.
@main
enum OneTag {
  static func main() {
    var options = RunOptions()
    options.dryRun = true
    print("\(options.timeout), \(Job.read.onlyLooks)")
  }
}
