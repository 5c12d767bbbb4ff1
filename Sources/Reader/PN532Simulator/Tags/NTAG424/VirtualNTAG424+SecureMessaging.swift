import CardCrypto

/// How commands and answers travel once a host has authenticated (9.1.8 to 9.1.10).
extension VirtualNTAG424 {
  enum Mode {
    case plain, mac, full
  }

  /// How many bytes of a command's data are never enciphered.
  static let headers: [UInt8: Int] = [
    0xAD: 7, 0x8D: 7, 0xC4: 1, 0x5F: 1, 0x5C: 1, 0xF5: 1, 0x64: 1, 0xF6: 1, 0x3C: 1, 0x60: 0,
    0x51: 0, 0xF7: 0,
  ]

  /// Table 22.
  func mode(of code: UInt8, _ data: [UInt8]) throws(DESFireStatus) -> Mode {
    guard let session else { return .plain }
    switch code {
    case 0xAD, 0x8D:
      guard let number = data.first else { throw .length }
      let file = try file(number)
      let use = code == 0xAD ? Use.read : .write
      guard keys(for: use, file).contains(session.keyNumber) else { return .plain }
      return [0: .plain, 1: .mac, 3: .full][settings(file)[0] & 0x03] ?? .plain
    case 0x5F:
      guard let number = data.first else { throw .length }
      return changeRight(try file(number)) == 0xE ? .plain : .full
    case 0xC4, 0x5C, 0x51, 0xF6, 0x3C: return .full
    default: return .mac
    }
  }

  func opened(_ code: UInt8, _ data: [UInt8], header: Int, _ mode: Mode)
    throws(DESFireStatus) -> [UInt8]
  {
    guard var session, mode != .plain else { return data }
    defer { self.session = session }
    guard data.count >= 8 + min(header, 1) else { throw .length }
    let body = Array(data.dropLast(8))
    guard session.mac(code, body) == Array(data.suffix(8)) else { throw .integrity }
    guard mode == .full, body.count > header else { return body }
    guard let plain = session.deciphered(Array(body[header...])) else { throw .integrity }
    return body[..<header] + plain
  }

  func secured(_ answer: [UInt8], _ mode: Mode) -> [UInt8] {
    guard session != nil else { return answer }
    session?.counter &+= 1
    guard var session, mode != .plain else { return answer }
    defer { self.session = session }
    if !versionParts.isEmpty {
      // A code stands behind the last part, over all of them.
      let whole = answer + versionParts.flatMap(\.self)
      versionParts[versionParts.count - 1] += session.mac(0x00, whole)
      return answer
    }
    let sent = mode == .full ? session.enciphered(answer) : answer
    return sent + session.mac(0x00, sent)
  }
}
