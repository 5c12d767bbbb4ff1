package typealias ProgramFailure = JobFailure
