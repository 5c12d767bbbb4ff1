/// A virtual tag that can be put into a file and taken out again: its memory by rows, and what it
/// keeps beside it.
package protocol StoredTag: VirtualTag {
  /// How the EEPROM is cut into lines.
  var rows: MemoryRows { get }
  /// The UID that belongs to the memory; a random one that the field sees does not. Default: `uid`.
  var storedUID: [UInt8] { get }
  /// The bytes of the EEPROM that hold data of the user.
  var userMemory: Range<Int> { get }
  /// What survives without power outside the EEPROM, by name, in a fixed order.
  var storedRegisters: [StoredRegister] { get }
  /// Sets one of `storedRegisters`; other names and values above its maximum do nothing.
  func store(_ value: Int, in register: String)
  /// Whether `memory` can be this tag's: the UID in it is the tag's own.
  func bearsUID(_ memory: [UInt8]) -> Bool
}

extension StoredTag {
  package var storedUID: [UInt8] { uid }
  package var storedRegisters: [StoredRegister] { [] }
  package func store(_ value: Int, in register: String) {}
}

/// A number that a chip keeps outside its memory.
package struct StoredRegister: Hashable, Sendable {
  package let name: String
  package let value: Int
  /// The highest value; the lowest is 0.
  package let maximum: Int
  /// A file may leave it out; it is 0 then.
  package let isOptional: Bool

  init(name: String, value: Int, maximum: Int, isOptional: Bool = false) {
    (self.name, self.value, self.maximum) = (name, value, maximum)
    self.isOptional = isOptional
  }
}

/// The lines of a memory: `Page 0` … or `Block 0` …, each with `size` bytes.
package struct MemoryRows: Hashable, Sendable {
  package let label: String
  package let size: Int
  /// The rows' numbers in the order in which they lie in the EEPROM.
  package let numbers: [Int]
}
