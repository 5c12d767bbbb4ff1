import TagMemory

@testable import TagProgramming

/// Type 2 tags as a survey finds them. The bytes are those of the data sheets: NTAG213/215/216,
/// 8.5; MF0ICU1, 7.5.
enum Pages {
  static let uid = UID([0x04, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06])

  /// An NTAG213 as delivered: a lock control TLV and an empty message, nothing locked, no password
  /// asked for.
  static let ntag213 = state(
    .ntag213,
    [
      0: "0401028f 03040506 04480000 e1101200 0103a00c 340300fe", 40: "000000bd 040000ff 00050000",
    ])

  /// An Ultralight as delivered: blank, the capability container too.
  static let ultralight = state(.ultralight, [0: "0401028f 03040506 04480000 00000000"])

  /// An Ultralight AES as delivered, blank.
  static let ultralightAES = state(
    .ultralightAES, [0: "0401028f 03040506 04480000 00000000", 40: "00000000 0000003c 8c050000"])

  /// `state` with these pages, from the one that is given on.
  static func with(_ state: Type2State, _ pages: [Page: String]) -> Type2State {
    var state = state
    for (page, bytes) in pages { state.memory.store(hex(bytes), from: page) }
    return state
  }

  /// `state` of a tag that has taken this password, or key.
  static func knowing(_ state: Type2State, _ password: String, pack: String) -> Type2State {
    var state = state
    state.credential = Protection(secret: hex(password), pack: hex(pack))
    return state
  }

  /// The whole memory of `state`, with these pages changed: zeros where it does not show.
  static func image(of state: Type2State, _ pages: [Page: String] = [:]) -> MemoryImage {
    let memory = with(state, pages).memory
    let count = state.map.pageCount
    let bytes = (0..<count).flatMap { memory[Page(UInt8($0))] ?? [0, 0, 0, 0] }
    return MemoryImage(.type2(pageCount: count), uid: uid, bytes: bytes)!
  }

  private static func state(_ product: Product, _ pages: [Page: String]) -> Type2State {
    let map = product.type2!
    var state = Type2State(product: product, map: map)
    state.memory.store([UInt8](repeating: 0, count: map.byteCount), from: 0)
    return with(state, pages)
  }
}
