/// What ends the program that holds a reader.
package enum HolderRemedy {
  /// For `holder`, such as `process 4711 (pcscd)`: what to run; nil where nobody can say.
  package static func text(for holder: String) -> String? {
    for (program, units) in services where holder.contains(program) {
      return "sudo systemctl stop \(units)"
    }
    let number = holder.drop { !$0.isNumber }.prefix { $0.isNumber }
    return number.isEmpty ? nil : "end that program, or: kill \(number)"
  }

  private static let services: KeyValuePairs = [
    "pcscd": "pcscd.socket pcscd", "ModemManager": "ModemManager", "brltty": "brltty",
  ]
}
