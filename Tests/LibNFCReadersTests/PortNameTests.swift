import Testing

@testable import LibNFCReaders

@Suite("Adapters by the names that macOS gives their ports")
struct PortNameTests {
  @Test(
    "a maker's own driver names the chip; the system's says usbserial for all of them",
    arguments: [
      ("cu.SLAB_USBtoUART", [], .cp210x), ("cu.wchusbserial110", [0x0403], .ch34x),
      ("cu.PL2303G-USBtoUART1410", [], .pl2303), ("cu.usbmodem14101", [], .cdc),
      ("cu.usbserial-A50285BI", [0x05AC, 0x0403], .ftdi), ("cu.usbserial-0001", [0x10C4], .cp210x),
      ("cu.usbserial-110", [0x1A86], .ch34x), ("cu.usbserial-110", [0x1A86, 0x0403], nil),
      ("cu.usbserial-110", [], nil), ("cu.Bluetooth-Incoming-Port", [0x0403], nil),
    ] as [(String, [UInt16], SerialAdapter?)])
  func kind(_ name: String, _ vendors: [UInt16], _ adapter: SerialAdapter?) {
    #expect(SerialAdapter(portName: name, vendors: vendors) == adapter)
  }
}
