import Bytes
import TagMemory

extension TagDescription {
  /// What a tag that speaks ISO-DEP holds, as far as it was looked at.
  init(_ state: Type4State) {
    self.init()
    product = state.product
    hold(state.content)
    guard !state.isOutOfReach else {
      findings.append(
        Finding(
          "not-known",
          "the card answered the look that found it and did not answer again, so what it holds is not known"
        ))
      return
    }
    guard let application = state.application else {
      access = .notSupported
      return
    }
    access = state.status
    if let fault = application.fault { findings.append(Finding(fault.code, "\(fault)")) }
    if case .lost(let lost) = content, let length = lost.length {
      findings.append(
        Finding(
          "message-garbled",
          "the length in front of the message is \(length), which is no length of a message in this file"
        ))
    }
    guard let container = application.container else { return }
    findings += container.faults.map { Finding($0.code, "\($0)") }
    capacity = container.message.capacity
    isLocked = state.rights?.isLocked
    isLockedUnderKey = product?.isDESFireEV1OrLater ?? false
    // Offsets from 0 on are possible: the tag then fills in the length of its message, too.
    if let mirror = state.mirror,
      mirror.mirrors.values.contains(where: { $0.lowerBound < SDMSettings.lengthByteCount })
    {
      findings.append(
        Finding(
          "mirror-over-length",
          "the tag writes over the length in front of its message as it is read: what a reader finds there is no message that anybody wrote"
        ))
    }
  }

  /// Adds what `info` shows of a tag besides.
  mutating func addDetails(_ state: Type4State) {
    if state.isTypeB {
      // A PUPI tells no maker.
      details.append(Detail("card", "type B (ISO/IEC 14443)"))
    } else {
      details.append(Detail("manufacturer", state.uid.manufacturer.map { "\($0)" } ?? "unknown"))
    }
    details.append(Detail("frames", "up to \(state.parameters.frameByteCount) bytes"))
    let historical = state.parameters.historicalBytes
    if !historical.isEmpty {
      details.append(
        Detail("historical bytes", Hex.string(historical, separator: " ").uppercased()))
    }
    if let version = state.version {
      details.append(
        Detail(
          "hardware",
          "version \(version.text), \(version.leastByteCount) bytes or more"))
    }
    guard !state.isOutOfReach else { return }
    guard let application = state.application else {
      details.append(Detail("NDEF application", "none"))
      if let stranger = state.stranger { details.append(Detail("card", stranger)) }
      return
    }
    if let mirror = state.mirror { details += Self.proofs(mirror) }
    if let tamper = state.tamper { details.append(Detail("tamper loop", "\(tamper)")) }
    addFiles(of: application, state)
  }

  /// Adds what the files of an NDEF application are.
  mutating func addFiles(of application: Type4State.Application, _ state: Type4State) {
    guard let container = application.container else { return }
    details.append(
      Detail(
        "mapping version", "\(container.majorVersion).\(container.version & 0x0F)"))
    details.append(
      Detail(
        "capability container", Hex.string(application.bytes, separator: " ").uppercased()))
    details.append(
      Detail(
        "longest read, write", "\(container.longestRead), \(container.longestWrite) bytes"))
    for control in [container.message] + container.others {
      // The chip may refuse what its container allows.
      let rights = control == container.message ? state.messageSettings?.rights : nil
      let read = rights.flatMap { Self.holders($0.read, $0) } ?? "\(control.readAccess)"
      let write = rights.flatMap { Self.holders($0.write, $0) } ?? "\(control.writeAccess)"
      details.append(
        Detail("\(control.file)", "\(control.byteCount) bytes, read \(read), write \(write)"))
    }
  }

  /// Who may do what `right`, of `rights`, is for; nil where everyone may.
  private static func holders(_ right: UInt8, _ rights: DESFireRights) -> String? {
    let holders = Set([right, rights.readAndWrite])
    guard !holders.contains(DESFireRights.everyone) else { return nil }
    let keys = holders.subtracting([DESFireRights.nobody]).sorted()
    return keys.isEmpty ? "never" : "with key " + keys.map(String.init).joined(separator: " or ")
  }
}

extension Type4State {
  /// What an NTAG 424 DNA fills in as its message is read, where that was asked.
  var mirror: SDMSettings? {
    guard product.isNTAG424,
      var mirror = messageSettings.flatMap({ NTAG424FileSettings($0) })?.mirror
    else { return nil }
    mirror.usesLRP = usesLRP || mirror.looksLikeLRP(in: application?.known ?? [])
    return mirror
  }
}

extension TagDescription {
  /// Returns what the message proves, and with which keys.
  static func proofs(_ mirror: SDMSettings) -> [Detail] {
    var details: [Detail] = []
    if mirror.picc != nil {
      details.append(
        Detail("fills in", "UID and counter, encrypted with key \(mirror.metaRead)"))
    }
    if mirror.usesLRP { details.append(Detail("secure messaging", "LRP in place of AES")) }
    if mirror.tamper != nil {
      let how = mirror.isTamperEncrypted ? ", encrypted with key \(mirror.fileRead)" : ""
      details.append(Detail("fills in", "the state of the tamper loop\(how)"))
    }
    let plain = [mirror.uid.map { _ in "UID" }, mirror.counter.map { _ in "counter" }]
    let words = plain.compactMap(\.self)
    if !words.isEmpty { details.append(Detail("fills in", words.joined(separator: " and "))) }
    if let encrypted = mirror.encrypted {
      details.append(
        Detail("fills in", "\(encrypted.count / 2) bytes, encrypted with key \(mirror.fileRead)"))
    }
    details.append(
      Detail(
        "proof",
        mirror.code == nil
          ? "none: a copy of the message is complete"
          : "a code made with key \(mirror.fileRead) at each reading"))
    return details
  }
}
