import CardCrypto

/// What an NTAG 424 DNA shows whoever reads it without a key (NT4H2421Gx, 9.3): the message as it
/// is stored, with UID, counter, encrypted data and code in their places. For a tag that a program
/// plays.
package struct SUNReading: Hashable, Sendable {
  package let settings: SDMSettings
  package let keys: KeyRing
  package let uid: UID

  package init(_ settings: SDMSettings, keys: KeyRing, uid: UID) {
    (self.settings, self.keys, self.uid) = (settings, keys, uid)
  }

  /// The highest counter.
  package static let lastCounter = 0xFF_FFFF

  /// `stored`, a message, as reading number `counter` shows it. `random` gives so many random
  /// bytes; the loop of a TagTamper is closed, and was never open.
  package func message(
    _ stored: [UInt8], counter: Int, random: (Int) -> [UInt8]
  ) -> [UInt8] {
    let start = SDMSettings.lengthByteCount
    var file = [UInt8](repeating: 0, count: start) + stored
    func put(_ bytes: [UInt8], _ place: Int?) {
      guard let place else { return }
      file.replaceSubrange(place..<place + 2 * bytes.count, with: Self.digits(bytes))
    }
    if let place = settings.tamper {
      let letters = TamperState(ever: .closed, now: .closed).letters
      file.replaceSubrange(place..<place + letters.count, with: letters)
    }
    let count = SUNSession.lowFirst(counter)
    // What is encrypted is the stored text, taken before anything else stands in its place.
    let plain = settings.encrypted.map { range in
      Array(file[range.lowerBound..<range.lowerBound + range.count / 2])
    }
    put(uid.bytes, settings.uid)
    put(count.reversed(), settings.counter)
    if let place = settings.picc { put(encrypted(count, random), place) }
    guard let place = settings.code, let first = settings.codeInput else {
      return Array(file[start...])
    }
    let session = SUNSession(
      key: keys.key(settings.fileRead, of: uid), uid: settings.mirrorsUID ? uid.bytes : [],
      counter: settings.mirrorsCounter ? counter : nil, usesLRP: settings.usesLRP)
    if let range = settings.encrypted, let plain {
      put(session.encrypted(plain, counter: counter), range.lowerBound)
    }
    put(session.code(of: Array(file[first..<place])), place)
    return Array(file[start...])
  }

  /// Tag byte, UID, counter (low byte first) and random bytes, encrypted (9.3.4).
  private func encrypted(_ count: [UInt8], _ random: (Int) -> [UInt8]) -> [UInt8] {
    var plain: [UInt8] = [
      (settings.mirrorsUID ? 0x87 : 0x00) | (settings.mirrorsCounter ? 0x40 : 0x00)
    ]
    if settings.mirrorsUID { plain += uid.bytes }
    if settings.mirrorsCounter { plain += count }
    plain += random(16 - plain.count)
    let key = keys.key(settings.metaRead, of: uid).bytes
    guard settings.usesLRP else { return AES128(key: key).encrypt(plain, iv: AES128.zero) }
    let first = random(8)
    var number = first
    return first + LRP(key: key).encrypt(plain, counter: &number)
  }

  private static func digits(_ bytes: [UInt8]) -> [UInt8] {
    let digits = Array("0123456789ABCDEF".utf8)
    return bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0x0F)]] }
  }
}
