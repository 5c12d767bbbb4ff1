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
  /// Sets one of `storedRegisters`; other names, and values that the tag cannot have, change
  /// nothing.
  func store(_ value: Int, in register: String)
  /// Replaces the files of its NDEF application, by their identifiers, as a dump wants them; false,
  /// with nothing replaced, where it cannot have these.
  func load(files: [Int: [UInt8]]) -> Bool
  /// Returns whether `memory` can be this tag's: the UID in it is the tag's own.
  func bearsUID(_ memory: [UInt8]) -> Bool
}

extension StoredTag {
  package var storedUID: [UInt8] { uid }
  package var storedRegisters: [StoredRegister] { [] }
  package func store(_ value: Int, in register: String) {}
  package func load(files: [Int: [UInt8]]) -> Bool { files.isEmpty }
}

/// A number that a chip keeps outside its memory.
package struct StoredRegister: Hashable, Sendable {
  package let name: String
  package let value: Int
  /// The highest value; the lowest is 0.
  package let maximum: Int
  /// The value that a file may leave out; nil: a file has the register whatever its value is.
  package let usual: Int?

  init(name: String, value: Int, maximum: Int, usual: Int? = nil) {
    (self.name, self.value, self.maximum, self.usual) = (name, value, maximum, usual)
  }
}

/// The lines of a memory: `Page 0` … or `Block 0` …, each with `size` bytes.
package struct MemoryRows: Hashable, Sendable {
  package let label: String
  package let size: Int
  /// The rows' numbers in the order in which they lie in the EEPROM.
  package let numbers: [Int]
}
