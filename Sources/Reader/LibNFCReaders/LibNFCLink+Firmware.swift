import Clibnfc
import PN532
import Readers

extension LibNFCLink {
  /// Returns what passes readers of a kind.
  static func limit(
    of driver: ConnectionString.Driver, _ firmware: FirmwareVersion
  ) -> ExchangeLimit {
    switch driver {
    case .acr122USB, .acr122S: .acr122u
    default: firmware.chip == 0x33 ? .pn533 : .pn532
    }
  }

  /// Asks the chip what it is: libnfc opens a device whose firmware it could not read, and dies of
  /// it later.
  static func firmware(
    of device: borrowing DeviceHandle, at place: ReaderPlace, name: String
  ) throws(OpeningFailure) -> FirmwareVersion {
    var answer: [UInt8] = []
    // A host that stood still has missed one answer.
    for isLast in [false, true] where answer.isEmpty {
      do throws(LibraryError) {
        answer = try device.transceive(
          Command.getFirmwareVersion.bytes, timeout: .milliseconds(350))
      } catch {
        guard error.code == NFC_ETIMEOUT, place.isUSB, !place.isGone else {
          throw OpeningFailure(error.readerError(reader: name, isGone: place.isGone))
        }
        // libnfc's drivers read an acknowledge while they send: this is the answer's time-out.
        if isLast { throw OpeningFailure(.onlyAcknowledges(overUSB: true), reader: name) }
      }
    }
    if let obstacle = Obstacle.chip(firmware: answer) {
      throw OpeningFailure(obstacle, reader: name)
    }
    do { return try FirmwareVersion(parsing: answer) } catch {
      throw OpeningFailure(.boardGarbled(reader: name))
    }
  }

  /// Makes sure that libnfc has set the chip up: it opens a device whose initialisation failed,
  /// too. Without the CRC bits, every exchange with a tag would fail later (PN532/C1 data sheet,
  /// 8.6.23: CIU_TxMode and CIU_RxMode, bit 7).
  static func checkSetUp(
    of device: borrowing DeviceHandle, at place: ReaderPlace, name: String
  ) throws(OpeningFailure) {
    let modes: [UInt8]
    do throws(LibraryError) {
      let answer = try device.transceive(
        Command.readRegister([.txMode, .rxMode]).bytes, timeout: .milliseconds(350))
      // The PN533 puts a status byte first.
      modes = answer.suffix(2)
    } catch {
      throw OpeningFailure(error.readerError(reader: name, isGone: place.isGone))
    }
    guard modes.count == 2, modes.allSatisfy({ $0 & 0x80 != 0 }) else {
      throw OpeningFailure(
        .cannotOpen(
          reader: name,
          reason: "the chip is not in the state that libnfc sets; try again, or unplug the reader"
        ))
    }
  }
}
