import PN532Simulator
import TagMemory

@testable import TagProgramming

/// Jobs on FeliCa Lite and Lite-S: blank, formatted, half written, full, locked.
extension FaultCase {
  static let felica = ["felica-lite", "felica-lite-s"].flatMap { product in
    [
      FaultCase(
        name: "format", product: product, prepare: blank, job: .formatFeliCa(FeliCaFormat())),
      FaultCase(name: "format with URL", product: product, prepare: blank, job: formatWithLink),
      FaultCase(name: "first URL", product: product, prepare: blank, job: short),
      FaultCase(name: "first URL, formatted", product: product, job: short),
      FaultCase(name: "longer URL", product: product, prepare: after(short), job: other),
      FaultCase(name: "shorter URL", product: product, prepare: after(other), job: short),
      FaultCase(name: "same URL", product: product, prepare: after(short), job: short),
      FaultCase(name: "all of its blocks", product: product, prepare: after(short), job: full),
      FaultCase(name: "short after full", product: product, prepare: after(full), job: short),
      FaultCase(name: "half written", product: product, prepare: half, job: other),
      FaultCase(name: "first URL and lock", product: product, prepare: blank, job: protected),
      FaultCase(name: "lock", product: product, prepare: after(short), job: .lock(force: false)),
      FaultCase(name: "restore", product: product, prepare: after(other), job: restored(product)),
    ]
  }

  /// As Sony delivers it.
  private static let blank: @Sendable (Bench) -> Void = { bench in
    let tag = try! TagCatalog.tag(bench.tag.product, content: .blank)
    var memory = tag.eeprom.bytes
    // The identity is the prepared tag's own.
    memory.replaceSubrange(15 * 16..<17 * 16, with: bench.memory[15 * 16..<17 * 16])
    bench.tag.eeprom.load(memory)
  }

  /// Somebody's write was cut short behind its second block.
  private static let half: @Sendable (Bench) -> Void = { bench in
    _ = bench.run(full, until: 4)
  }

  private static let full = write(media(198))

  private static let formatWithLink: Job = {
    guard case .write(let message, _) = short else { preconditionFailure() }
    var format = FeliCaFormat()
    format.message = message
    return .formatFeliCa(format)
  }()

  private static let protected: Job = {
    guard case .write(let message, var options) = short else { preconditionFailure() }
    options.lock = true
    return .write(message, options)
  }()

  private static func restored(_ product: String) -> Job {
    let source = try! Bench(product)
    _ = source.run(short)
    return .restore(Restore(source.run(.dump).dump!.image))
  }
}
