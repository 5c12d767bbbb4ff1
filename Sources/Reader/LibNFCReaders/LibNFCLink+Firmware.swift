import PN532
import Readers

extension LibNFCLink {
  /// Asks the chip what it is: libnfc opens a device whose firmware it could not read, and dies of
  /// it later.
  static func firmware(
    of device: borrowing DeviceHandle, at place: ReaderPlace, name: String
  ) throws(ReaderError) -> FirmwareVersion {
    let answer: [UInt8]
    do throws(LibraryError) {
      answer = try device.transceive(Command.getFirmwareVersion.bytes, timeout: .milliseconds(350))
    } catch {
      throw error.readerError(reader: name, isGone: place.isGone)
    }
    guard answer.count != 2 else {
      throw .cannotOpen(
        reader: name, reason: "the chip there is a PN531; a PN532 or PN533 is needed")
    }
    guard let firmware = try? FirmwareVersion(parsing: answer) else {
      throw .cannotOpen(reader: name, reason: "the device is not a PN532 or PN533")
    }
    guard firmware.chip == 0x32 || firmware.chip == 0x33 else {
      throw .cannotOpen(
        reader: name, reason: "the chip there is a \(firmware), not a PN532 or PN533")
    }
    return firmware
  }

  /// Makes sure that libnfc has set the chip up: it opens a device whose initialisation failed,
  /// too. Without the CRC bits, every exchange with a tag would fail later (PN532/C1 data sheet,
  /// 8.6.23: CIU_TxMode and CIU_RxMode, bit 7).
  static func checkSetUp(
    of device: borrowing DeviceHandle, _ firmware: FirmwareVersion, at place: ReaderPlace,
    name: String
  ) throws(ReaderError) {
    let modes: [UInt8]
    do throws(LibraryError) {
      let answer = try device.transceive(
        Command.readRegister([.txMode, .rxMode]).bytes, timeout: .milliseconds(350))
      // The PN533 puts a status byte first.
      modes = answer.suffix(2)
    } catch {
      throw error.readerError(reader: name, isGone: place.isGone)
    }
    guard modes.count == 2, modes.allSatisfy({ $0 & 0x80 != 0 }) else {
      throw .cannotOpen(
        reader: name,
        reason: "the chip is not in the state that libnfc sets; try again, or unplug the reader")
    }
  }
}
