import PN532Simulator

/// A virtual tag that does what the one within it does; a subclass does something of it otherwise.
class WrappedTag: VirtualTag {
  let chip: VirtualType2

  init(_ chip: VirtualType2) { self.chip = chip }

  var product: String { chip.product }
  var atqa: UInt16 { chip.atqa }
  var sak: UInt8 { chip.sak }
  var uid: [UInt8] { chip.uid }
  var ats: [UInt8] { chip.ats }
  var eeprom: EEPROM { chip.eeprom }
  var state: TagState { chip.state }

  func powerOff() { chip.powerOff() }
  func select() { chip.select() }
  func halt() { chip.halt() }
  func returnToIdle() { chip.returnToIdle() }

  func receive(_ frame: [UInt8]) -> TagAnswer { chip.receive(frame) }

  func authenticate(command: UInt8, block: UInt8, key: [UInt8], uid: [UInt8]) -> Bool {
    chip.authenticate(command: command, block: block, key: key, uid: uid)
  }
}
