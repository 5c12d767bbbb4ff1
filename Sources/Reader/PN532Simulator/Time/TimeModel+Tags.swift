import PN532

extension TimeModel {
  /// One programming cycle of `tag`.
  func programming(_ tag: any VirtualTag) -> Duration {
    tag.programmingTime ?? (tag.isClassic ? classicProgramming : pageProgramming)
  }

  /// One time slot of a FeliCa polling (JIS X 6319-4: 1.208 ms).
  var feliCaSlot: Duration { .microseconds(1208) }

  /// How long a FeliCa tag thinks before it answers: the least that it may (JIS X 6319-4).
  var feliCaDelay: Duration { .microseconds(302) }

  /// A FeliCa frame of `bytes` bytes on the air with its preamble (6), synchronisation (2) and CRC
  /// (2); eight bits a byte. `rate`: 1 is 212 kbit/s, 2 is 424.
  func feliCaAir(bytes: Int, rate: Int) -> Duration {
    bit * (8 * (bytes + 10)) / (1 << max(1, min(rate, 2)))
  }
}
