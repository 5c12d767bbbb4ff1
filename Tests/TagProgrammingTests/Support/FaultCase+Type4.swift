import NDEF
import TagMemory

@testable import TagProgramming

/// Jobs on tags that speak ISO-DEP.
extension FaultCase {
  static let type4Products: Set<String> = [
    "type4", "ntag424", "st25ta02k", "desfire-ev1", "desfire-ev2", "desfire-ev3",
  ]

  var isType4: Bool { Self.type4Products.contains(product) }

  static let type4s: [FaultCase] =
    ["type4", "ntag424", "st25ta02k"].flatMap { product in
      [
        FaultCase(name: "first URL", product: product, job: short),
        FaultCase(name: "longer URL", product: product, prepare: after(short), job: other),
        FaultCase(name: "shorter URL", product: product, prepare: after(other), job: short),
        FaultCase(name: "same URL", product: product, prepare: after(short), job: short),
      ]
    } + [
      FaultCase(name: "long message", product: "type4", job: long),
      FaultCase(name: "longer after long", product: "type4", prepare: after(long), job: longer),
      FaultCase(
        name: "lock", product: "st25ta02k", prepare: after(short), job: .lock(force: false)),
      FaultCase(name: "URL and lock", product: "st25ta02k", job: locked(short)),
      FaultCase(name: "format", product: "desfire-ev1", job: cardFormat()),
      FaultCase(name: "format with URL", product: "desfire-ev2", job: cardFormat(short)),
      FaultCase(
        name: "format with URL and key", product: "desfire-ev1",
        job: cardFormat(other, key: cardKey)),
      FaultCase(
        name: "its own key", product: "desfire-ev3", prepare: after(cardFormat(short)),
        credentials: Credentials(cardKeys: [cardKey]), job: cardFormat(short, key: cardKey)),
      FaultCase(
        name: "longer URL", product: "desfire-ev1", prepare: after(cardFormat(short)), job: other),
      FaultCase(
        name: "lock", product: "desfire-ev1", prepare: after(cardFormat(short, key: cardKey)),
        credentials: Credentials(cardKeys: [cardKey]), job: .lock(force: false)),
    ]

  private static let cardKey: [UInt8] = (1...16).map { UInt8($0) }

  private static func cardFormat(_ job: Job? = nil, key: [UInt8]? = nil) -> Job {
    var format = Type4Format()
    if case .write(let message, _)? = job { format.message = message }
    format.newKey = key
    return .formatType4(format)
  }

  private static func locked(_ job: Job) -> Job {
    guard case .write(let message, var options) = job else { return job }
    options.lock = true
    return .write(message, options)
  }
}
