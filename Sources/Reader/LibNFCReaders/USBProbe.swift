import Clibusb
import PN532

/// Finds out what a USB reader does with a command, without libnfc, which could not open it.
///
/// Every transfer has a limit; nothing is changed on the reader.
@safe struct USBProbe {
  private let handle: OpaquePointer
  private let endpoints: Endpoints

  /// The problem; nil where the reader answers as it should, where it cannot be asked, and where it
  /// is none that is known here. Takes up to three seconds.
  static func obstacle(
    at place: ReaderPlace, of driver: ConnectionString.Driver
  ) -> Obstacle? {
    guard !driver.takesPath else { return nil }
    return with(place) { probe in
      driver == .acr122USB ? probe.askThroughCCID() : probe.askDirectly()
    }
  }

  /// What came back for a command.
  enum Reply: Hashable {
    /// What follows the answer code.
    case answer([UInt8])
    /// The reader took the command, and its chip has not answered.
    case acknowledgement
    case nothing
  }

  /// What GetFirmwareVersion brings is to be the firmware of a chip that is supported.
  static func obstacle(firmware reply: Reply) -> Obstacle? {
    switch reply {
    case .answer(let firmware): .chip(firmware: firmware)
    case .acknowledgement: .onlyAcknowledges(overUSB: true)
    case .nothing: .takesNothing
    }
  }

  // MARK: PN531 and PN533

  private func askDirectly() -> Obstacle? {
    // Ends whatever the chip is at, as libnfc does.
    _ = send(Frame.ack.serialize())
    guard send(Frame.command(Command.getFirmwareVersion.bytes).serialize()) else {
      return Self.obstacle(firmware: .nothing)
    }
    var (parser, heard) = (FrameParser(), [Frame]())
    for _ in 0..<4 {
      guard let some = receive(limit: 500) else { break }
      for case .frame(let frame) in parser.feed(some) { heard.append(frame) }
      if case .answer = Self.reply(in: heard) { break }
    }
    return Self.obstacle(firmware: Self.reply(in: heard))
  }

  /// Returns what `frames` say to GetFirmwareVersion.
  static func reply(in frames: [Frame]) -> Reply {
    let code = CommandCode.getFirmwareVersion.answer
    for case .answer(let payload) in frames where payload.first == code {
      return .answer(Array(payload.dropFirst()))
    }
    return frames.contains(.ack) ? .acknowledgement : .nothing
  }

  // MARK: ACR122

  /// The command in a pseudo-APDU, in a CCID message (ACS, ACR122U API, 2.04, 6.1).
  private func askThroughCCID() -> Obstacle? {
    let command = [0xD4] + Command.getFirmwareVersion.bytes
    let apdu = [0xFF, 0, 0, 0, UInt8(command.count)] + command
    // PC_to_RDR_IccPowerOn, then PC_to_RDR_XfrBlock (CCID 1.1, 6.1.1 and 6.1.4).
    guard send([0x62, 0, 0, 0, 0, 0, 0, 1, 0, 0]), receive(limit: 1000) != nil,
      send([0x6F, UInt8(apdu.count), 0, 0, 0, 0, 1, 0, 0, 0] + apdu),
      let message = receive(limit: 1500)
    else { return Self.obstacle(firmware: .nothing) }
    return Self.obstacle(firmware: Self.reply(inMessage: message))
  }

  /// Returns what a CCID message with the answer of the reader says.
  static func reply(inMessage message: [UInt8]) -> Reply {
    guard message.count >= 10, message[0] == 0x80 else { return .nothing }
    let data = message.dropFirst(10)
    let start = [0xD5, CommandCode.getFirmwareVersion.answer]
    guard data.starts(with: start), data.count >= 4 else { return .acknowledgement }
    return .answer(Array(data.dropFirst(2).dropLast(2)))
  }

  // MARK: Transfers

  private struct Endpoints {
    var out: UInt8 = 0
    var incoming: UInt8 = 0
  }

  private func send(_ bytes: [UInt8]) -> Bool {
    var (bytes, count) = (bytes, CInt(0))
    return unsafe libusb_bulk_transfer(
      handle, endpoints.out, &bytes, CInt(bytes.count), &count, 500) == 0
  }

  /// What comes within `limit` milliseconds; nil where nothing does.
  private func receive(limit: CUnsignedInt) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 512)
    var count = CInt(0)
    let status = unsafe libusb_bulk_transfer(
      handle, endpoints.incoming, &bytes, CInt(bytes.count), &count, limit)
    return status == 0 ? Array(bytes.prefix(Int(count))) : nil
  }

  /// Claims the reader at `place` for as long as `body` runs; nil where that is not possible.
  private static func with(_ place: ReaderPlace, _ body: (USBProbe) -> Obstacle?) -> Obstacle? {
    let numbers = place.text.split(separator: ":").compactMap { UInt8($0) }
    var context: OpaquePointer?
    guard numbers.count == 2, unsafe libusb_init(&context) == 0 else { return nil }
    defer { unsafe libusb_exit(context) }
    var list: UnsafeMutablePointer<OpaquePointer?>?
    let count = unsafe libusb_get_device_list(context, &list)
    guard count >= 0, let list = unsafe list else { return nil }
    defer { unsafe libusb_free_device_list(list, 1) }
    for index in 0..<count {
      guard let device = unsafe list[index],
        unsafe libusb_get_bus_number(device) == numbers[0],
        unsafe libusb_get_device_address(device) == numbers[1]
      else { continue }
      var handle: OpaquePointer?
      guard let endpoints = unsafe endpoints(of: device),
        unsafe libusb_open(device, &handle) == 0, let handle = unsafe handle
      else { return nil }
      defer { unsafe libusb_close(handle) }
      guard unsafe libusb_claim_interface(handle, 0) == 0 else { return nil }
      defer { unsafe libusb_release_interface(handle, 0) }
      return unsafe body(USBProbe(handle: handle, endpoints: endpoints))
    }
    return nil
  }

  /// The bulk endpoints of the first interface.
  @unsafe private static func endpoints(of device: OpaquePointer) -> Endpoints? {
    var configuration: UnsafeMutablePointer<libusb_config_descriptor>?
    guard unsafe libusb_get_active_config_descriptor(device, &configuration) == 0,
      let configuration = unsafe configuration
    else { return nil }
    defer { unsafe libusb_free_config_descriptor(configuration) }
    guard unsafe configuration.pointee.bNumInterfaces > 0,
      let interface = unsafe configuration.pointee.interface?.pointee.altsetting?.pointee
    else { return nil }
    var found = Endpoints()
    for index in 0..<Int(unsafe interface.bNumEndpoints) {
      guard let endpoint = unsafe interface.endpoint?[index] else { continue }
      let address = unsafe endpoint.bEndpointAddress
      guard unsafe endpoint.bmAttributes & 3 == 2 else { continue }
      if address & 0x80 == 0 { found.out = address } else { found.incoming = address }
    }
    return found.out != 0 && found.incoming != 0 ? found : nil
  }
}
