extension Air {
  /// Both passes of a MIFARE Classic authentication: true, false, or nil where no tag was there.
  func authenticate(command: UInt8, block: UInt8, key: [UInt8], uid: [UInt8]) -> Bool? {
    guard let tag = active else {
      spent.rf += model.air(bytes: 4)
      _ = timed(.silence)
      return nil
    }
    field.hostExchanged()
    guard tag.obeysWithoutRATS || isInProtocol(tag) else {
      disturb(tag)
      _ = timed(.silence)
      return nil
    }
    spent.rf += model.authentication
    var unheard = true
    let answer = exchange(with: tag) {
      unheard = false
      let granted = tag.authenticate(command: command, block: block, key: key, uid: uid)
      return granted ? .data([]) : .silence
    }
    if answer == .data([]) { return true }
    return answer == .silence && unheard ? nil : false
  }
}
