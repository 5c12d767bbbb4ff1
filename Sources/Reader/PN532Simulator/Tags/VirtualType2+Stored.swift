extension VirtualType2: StoredTag {
  package var rows: MemoryRows {
    MemoryRows(label: "Page", size: 4, numbers: Array(0..<silicon.pageCount))
  }

  package var userMemory: Range<Int> { 16..<(silicon.lastUserPage + 1) * 4 }

  package var storedRegisters: [StoredRegister] {
    let numbers: [Int]
    switch silicon.counters {
    case .none: numbers = []
    case .reads: numbers = [2]
    case .three: numbers = [0, 1, 2]
    }
    let counters = numbers.map {
      StoredRegister(
        name: "Counter \($0)", value: Int(registers.counters[$0]), maximum: 0xFF_FFFF)
    }
    guard silicon.configuration != nil else { return counters }
    return counters + [
      StoredRegister(
        name: Self.failures, value: registers.failedAuthentications,
        maximum: silicon.hasAES ? 1023 : 7)
    ]
  }

  package func store(_ value: Int, in register: String) {
    guard let known = storedRegisters.first(where: { $0.name == register }),
      (0...known.maximum).contains(value)
    else { return }
    if register == Self.failures {
      registers.failedAuthentications = value
    } else if let number = register.split(separator: " ").last.flatMap({ Int($0) }) {
      registers.counters[number] = UInt32(value)
    }
  }

  package func bearsUID(_ memory: [UInt8]) -> Bool {
    memory[..<9] == silicon.memory(uid: uid, blank: true)[..<9]
  }

  private static let failures = "Failed authentications"
}
