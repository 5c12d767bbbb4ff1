import Bytes
import TagProgramming
import Wording

/// What is going on, for a person: one line drawn over again on a terminal, lines with `--verbose`.
struct ProgressText {
  let console: Console
  let line: ProgressLine

  func show(_ progress: JobProgress) {
    switch progress {
    case .waiting:
      line.show("Waiting for a tag …")
      console.detail("Waiting for a tag.")
    case .found(let target):
      line.show("Tag \(target.uid) …")
      console.detail("Found tag \(target.uid).")
    case .identified(let product):
      console.detail("Product: \(product).")
    case .planned(let program):
      console.detail(
        "\(counted(program.steps.count, "step")), \(counted(program.unchanged, "write")) not needed."
      )
    case .step(let index, let count, let step):
      line.show(index - 1, of: count, step.description)
      console.detail("  \(index)/\(count) \(step)")
    case .retrying(let failure, let attempt):
      line.clear()
      console.detail("Attempt \(attempt): \(failure.what)")
    }
  }
}
