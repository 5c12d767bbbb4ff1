import Clibnfc
import PN532
import Readers

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Owns one open `nfc_device`: it cannot be copied, and dropping it closes the device.
///
/// libnfc calls `abort()` when the status byte of an answer has bit 7 set (NAD, which it does not
/// use). No line error can do that alone, the frame's checksum guards it; a chip that sent it would
/// end the process.
struct DeviceHandle: ~Copyable {
  private let device: LibraryPointer
  private let context: LibraryContext  // outlives `device`, which points into it
  private let interrupter: Interrupter
  private let isUSB: Bool
  private let watchdog: Watchdog
  /// Which chip it is; all zeros until somebody has asked.
  var firmware = FirmwareVersion(chip: 0, version: 0, revision: 0, support: 0)

  /// Opens what `connection` says, found at `place`; `interrupter` then reaches this device, and
  /// `watchdog` ends what does not come back.
  init(
    opening connection: ConnectionString, at place: ReaderPlace, isVerbose: Bool,
    interrupter: Interrupter, watchdog: Watchdog
  ) throws(ReaderError) {
    let context = try LibraryContext(isVerbose: isVerbose)
    let isUSB = !connection.driver.takesPath
    guard Self.mayWait else {
      throw .cannotOpen(
        reader: connection.text,
        reason: "this program has too many files and connections open for libnfc: close some")
    }
    let opened = watchdog.run(within: Self.longestWait, patience: Self.patience) {
      context.open(connection.resolved(to: place.text), overUSB: isUSB)
    }
    guard let device = opened else {
      throw .cannotOpen(
        reader: connection.text, reason: "libnfc finds no PN532 or PN533 there that answers")
    }
    self.device = device
    self.context = context
    self.isUSB = isUSB
    self.watchdog = watchdog
    self.interrupter = interrupter
    interrupter.attach(device)
  }

  /// The longest that libnfc waits by itself for one thing, while it opens and closes a device.
  private static let longestWait = Duration.milliseconds(1200)
  /// How long opening or closing a device, or the answer of a card that comes in many frames, may
  /// take beside signals before the device is taken away.
  private static let patience = Duration.seconds(30)

  /// Is true if the three descriptors that libnfc opens for a port, itself and a pipe, will be
  /// below FD_SETSIZE: it waits with `select`, as libusb 0.1 does, and at a higher one the C
  /// library ends the process.
  private static var mayWait: Bool {
    var isFull = false
    let next = (0..<3).map { _ in
      let descriptor = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
      if descriptor < 0, errno == EMFILE { isFull = true }
      return descriptor
    }
    for descriptor in next where descriptor >= 0 { _ = close(descriptor) }
    return !isFull && next.allSatisfy { $0 < 1024 }
  }

  deinit {
    interrupter.detach()
    // Releases the targets, switches the field off and sends the chip to sleep; the first of the
    // three that a hung board leaves unanswered, for 350 ms, is the last.
    watchdog.run(within: Self.longestWait, patience: Self.patience) { unsafe nfc_close(device.raw) }
  }

  /// Sends `command` (1 to 264 bytes) and returns what follows the answer code, of all frames of
  /// it. An answer that is an error status comes back as that one byte.
  func transceive(_ command: [UInt8], timeout: Duration) throws(LibraryError) -> [UInt8] {
    guard (1...Frame.longestPayload).contains(command.count) else {
      throw LibraryError(code: NFC_EINVARG)
    }
    // Zeros: libnfc looks at the status byte of an answer even when the answer had none. A card's
    // long answer comes in several frames, which libnfc joins: an APDU's has up to 65,538 bytes.
    let isJoined = command[0] == CommandCode.inDataExchange.rawValue
    var answer = [UInt8](repeating: 0, count: isJoined ? 65_600 : Frame.longestPayload + 1)
    let limit = milliseconds(timeout)
    interrupter.begin()
    let count = watchdog.run(
      within: .milliseconds(limit), patience: isJoined ? Self.patience : .seconds(5)
    ) {
      unsafe pn53x_transceive(
        device.raw, command, command.count, &answer, answer.count, limit)
    }
    interrupter.end()
    if count >= 0 { return Array(answer.prefix(Int(count))) }
    guard LibraryError.statusCodes.contains(count), answer[0] & 0x3F != 0 else {
      throw LibraryError(code: count)
    }
    return [answer[0]]
  }

  /// As `transceive`, without a limit and a watch: for what waits for a reader.
  func awaitAnswer(to command: [UInt8]) throws(LibraryError) -> [UInt8] {
    var answer = [UInt8](repeating: 0, count: Frame.longestPayload + 1)
    interrupter.begin()
    let count = unsafe pn53x_transceive(
      device.raw, command, command.count, &answer, answer.count, 0)
    interrupter.end()
    if count >= 0 { return Array(answer.prefix(Int(count))) }
    guard LibraryError.statusCodes.contains(count), answer[0] & 0x3F != 0 else {
      throw LibraryError(code: count)
    }
    return [answer[0]]
  }

  /// libnfc takes 0 for "no limit". Its USB drivers take the first 200 ms of a time-out off before
  /// they read at all, and nothing is read when less is left.
  private func milliseconds(_ timeout: Duration) -> CInt {
    let wanted = max(1, min(60_000, Int(timeout / .milliseconds(1))))
    return CInt(wanted + (isUSB ? 200 : 0))
  }
}
