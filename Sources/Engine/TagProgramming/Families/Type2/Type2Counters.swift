import TagMemory

extension Product {
  /// The numbers by which its counters are asked for (READ_CNT).
  var counterNumbers: [Int] {
    features.contains(.threeCounters) ? [0, 1, 2] : features.contains(.nfcCounter) ? [2] : []
  }
}

extension Type2State {
  /// Returns what `info` says of counters; `values` has what READ_CNT gave, by number.
  func counterDetails(_ values: [Int: Int]) -> [TagDescription.Detail] {
    if product.features.contains(.nfcCounter) {
      return [TagDescription.Detail("NFC counter", nfcCounter(values[2]))]
    }
    let numbers = product.counterNumbers
    if !numbers.isEmpty {
      return numbers.map { number in
        TagDescription.Detail(
          "counter \(number)", values[number].map { "\($0)" } ?? "the tag does not report it")
      }
    }
    guard let page = map.counter else {
      return [TagDescription.Detail("counter", "this chip has none")]
    }
    let value = memory[page].map { "\(Int($0[0]) | Int($0[1]) << 8)" }
    return [TagDescription.Detail("counter", value ?? "it cannot be read (\(page))")]
  }

  /// The counter of NTAG213/215/216 (8.6), which moves by one with the first reading after each
  /// power-up.
  private func nfcCounter(_ value: Int?) -> String {
    guard let configuration = memory.configuration else {
      return value.map { "\($0)" } ?? "the configuration cannot be read"
    }
    guard configuration.countsReads else { return "off: the tag does not count" }
    if let value { return "\(value) readings, at most one each time the tag came into a field" }
    return configuration.protectsCounter
      ? "hidden: it needs the password" : "the tag does not report it"
  }
}
