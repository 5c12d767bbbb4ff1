/// Host names outside ASCII as the domain name system carries them (RFC 3492).
enum Punycode {
  // RFC 3492, 5.
  private static let base = 36
  private static let (tMin, tMax) = (1, 26)
  private static let skew = 38
  private static let damp = 700

  /// `label` in ASCII: `xn--` and its encoding when it has other characters. Nil when it is so long
  /// that the numbers run over.
  static func asciiLabel(_ label: String) -> String? {
    if label.utf8.allSatisfy({ $0 < 0x80 }) { return label }
    return encode(label).map { "xn--" + $0 }
  }

  /// RFC 3492, 6.3.
  static func encode(_ text: String) -> String? {
    let scalars = text.unicodeScalars.map { Int($0.value) }
    var output = scalars.filter { $0 < 0x80 }
    let basicCount = output.count
    if basicCount > 0 { output.append(0x2D) }
    var (n, delta, bias, handled) = (0x80, 0, 72, basicCount)
    while handled < scalars.count {
      guard let next = scalars.filter({ $0 >= n }).min() else { return nil }
      let (increase, overflow) = (next - n).multipliedReportingOverflow(by: handled + 1)
      guard !overflow, increase < Int(Int32.max) else { return nil }
      delta += increase
      n = next
      for scalar in scalars {
        if scalar < n { delta += 1 }
        guard scalar == n else { continue }
        output += digits(of: delta, bias: bias)
        bias = adapt(delta, count: handled + 1, isFirst: handled == basicCount)
        delta = 0
        handled += 1
      }
      delta += 1
      n += 1
    }
    return String(decoding: output.map { UInt8($0) }, as: UTF8.self)
  }

  /// `delta` as a generalized variable-length integer.
  private static func digits(of delta: Int, bias: Int) -> [Int] {
    var result: [Int] = []
    var (rest, k) = (delta, base)
    while true {
      let threshold = k <= bias ? tMin : k >= bias + tMax ? tMax : k - bias
      if rest < threshold { break }
      result.append(letter(threshold + (rest - threshold) % (base - threshold)))
      rest = (rest - threshold) / (base - threshold)
      k += base
    }
    return result + [letter(rest)]
  }

  /// 0 to 25 are a to z, 26 to 35 are 0 to 9.
  private static func letter(_ digit: Int) -> Int { digit < 26 ? digit + 0x61 : digit - 26 + 0x30 }

  /// RFC 3492, 6.1.
  private static func adapt(_ delta: Int, count: Int, isFirst: Bool) -> Int {
    var delta = isFirst ? delta / damp : delta / 2
    delta += delta / count
    var k = 0
    while delta > ((base - tMin) * tMax) / 2 {
      delta /= base - tMin
      k += base
    }
    return k + (base - tMin + 1) * delta / (delta + skew)
  }
}
