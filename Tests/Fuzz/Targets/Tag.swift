/// Every job on a tag or a board that answers what the input says.
func fuzz(_ bytes: [UInt8]) {
  let run = HostileRun(bytes)
  require(run.complaints.isEmpty, "\(run.complaints)")
}
