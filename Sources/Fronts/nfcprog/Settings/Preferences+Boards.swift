import Bench
import PN532
import Settings

extension Preferences {
  /// What boards were found not to do, by the names of their readers.
  var boards: [String: BoardLimits] { file.boards.mapValues { BoardLimits($0) } }

  /// Writes `limits` of the reader called `name` into the settings file, and returns its path. All
  /// else in it stays. Fails with `configuration` where it cannot be changed without a loss, with
  /// `cannotCreate` where it cannot be written.
  func write(_ limits: BoardLimits, of name: String) throws(BenchError) -> String {
    // As it is now: a person may have changed it meanwhile.
    let now = Files.exists(path) ? try Files.read(path) : []
    guard let text = String(validating: now, as: UTF8.self) else {
      throw BenchError(.configuration, "\(path) is not UTF-8 text.")
    }
    let changed: String
    do throws(SettingsError) {
      changed = try SettingsFile.text(text, setting: SettingsFile.Board(limits), of: name)
    } catch {
      throw BenchError(
        .configuration, "\(path), line \(error.line): \(error.reason). Nothing was changed in it.")
    }
    Files.makeFolder(of: path)
    try Files.write(Array(changed.utf8), to: path)
    return path
  }
}

extension BoardLimits {
  init(_ board: SettingsFile.Board) {
    self.init(
      speed: board.baud.flatMap(LinkSpeed.init(bitsPerSecond:)), fastReadPages: board.fastRead,
      hasSlowTags: board.slowTags ?? false)
  }
}

extension SettingsFile.Board {
  init(_ limits: BoardLimits) {
    self.init(
      baud: limits.speed?.bitsPerSecond, fastRead: limits.fastReadPages,
      slowTags: limits.hasSlowTags ? true : nil)
  }
}
