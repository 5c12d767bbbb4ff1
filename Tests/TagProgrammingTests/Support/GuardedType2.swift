import PN532Simulator

@testable import TagProgramming

/// A simulated Type 2 chip with a password or a key, and where it keeps what that protects: by the
/// simulator's own tables, so that the product table has no part in it.
struct GuardedType2: CustomStringConvertible, Sendable {
  let description: String
  /// Offsets in the memory of AUTH0 and of the byte that says whether reading is protected, too.
  let auth0: Int
  let access: Int
  let lastUserPage: Int

  static let all: [GuardedType2] = TagCatalog.names.compactMap { name in
    let tag = try? TagCatalog.tag(name)
    if name.hasPrefix("ntag-i2c-plus") {
      return GuardedType2(
        description: name, auth0: 227 * 4 + 3, access: 228 * 4, lastUserPage: 225)
    }
    guard let silicon = (tag as? VirtualType2)?.silicon else { return nil }
    if name == "ultralight-c" {
      return GuardedType2(description: name, auth0: 42 * 4, access: 43 * 4, lastUserPage: 39)
    }
    guard let page = silicon.configuration else { return nil }
    return GuardedType2(
      description: name, auth0: page * 4 + 3, access: page * 4 + 4,
      lastUserPage: silicon.lastUserPage)
  }

  var isSmall: Bool { lastUserPage < 20 }

  /// A tag with `message` of which everything from page `first` on asks for the password.
  func bench(_ job: Job, from first: Int, reading: Bool) throws -> Bench {
    let bench = try Bench(description)
    _ = bench.run(job)
    var memory = bench.memory
    memory[auth0] = UInt8(first)
    if description == "ultralight-c" {
      memory[access] = reading ? 0 : 1
    } else {
      memory[access] = memory[access] & 0x7F | (reading ? 0x80 : 0)
    }
    bench.tag.eeprom.load(memory)
    return bench
  }
}
