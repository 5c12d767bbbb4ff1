import CardCrypto

/// Commands of class 90h (10.3): what they ask for, and how they travel once a host has
/// authenticated (9.1.8 to 9.1.10).
extension VirtualNTAG424 {
  func receiveNative(_ apdu: CommandAPDU) -> TagAnswer {
    do throws(DESFireStatus) {
      guard apdu.p1 == 0, apdu.p2 == 0 else { throw .parameter }
      let (answer, status) = try obey(apdu.ins, apdu.data)
      return .data(answer + [0x91, status.rawValue])
    } catch {
      guard state == .active else { return .silence }
      // Whatever goes wrong ends an authentication (9.1.11), and what was begun.
      (session, handshake, versionParts) = (nil, nil, [])
      return .data([0x91, error.rawValue])
    }
  }

  private func obey(_ code: UInt8, _ data: [UInt8]) throws(DESFireStatus) -> (
    [UInt8], DESFireStatus
  ) {
    if code != 0xAD { chain = nil }
    if code == 0xAF {
      if let begun = handshake {
        handshake = nil
        return (try finish(begun, data), .ok)
      }
      guard !versionParts.isEmpty, data.isEmpty else { throw .unknownCommand }
      let part = versionParts.removeFirst()
      return (part, versionParts.isEmpty ? .ok : .more)
    }
    // Table 23: the command before was not completed, and is over.
    guard !isInMiddle else { throw .aborted }
    switch (code, data.count) {
    case (0x71, 2...):
      guard data[1] <= 6, data.count == 2 + Int(data[1]) else { throw .length }
      let capabilities = Array(data[2...])
      return (try begin(data[0], first: true, capabilities), .more)
    case (0x77, 1): return (try begin(data[0], first: false, []), .more)
    default: break
    }
    guard Self.known.contains(code) || (code == 0xF7 && silicon.hasTamperLoop) else {
      throw .unknownCommand
    }
    let mode = try mode(of: code, data)
    let header = Self.headers[code] ?? data.count
    let plain = try opened(code, data, header: header, mode)
    // LRP ends what was begun with AES.
    let turnsLRP =
      code == 0x5C && plain.first == 0x05 && !configuration.isLRP && plain.count == 11
      && plain[5] & 0x02 != 0
    let keepsSession = !(code == 0xC4 && plain.first == session?.keyNumber) && !turnsLRP
    let answer = try perform(code, plain)
    guard keepsSession else {
      session = nil
      return ([], .ok)
    }
    return (secured(answer, mode), versionParts.isEmpty ? .ok : .more)
  }
}
