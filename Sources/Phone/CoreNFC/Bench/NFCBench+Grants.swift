import Foundation
import PhoneSessions

extension NFCBench {
  /// What the app may do, by its Info.plist and its entitlements as they are now.
  static var grants: AppGrants {
    var faults: [String] = []
    var values: [String: AppGrants.Value] = [:]
    var folder: URL?
    if let given = infoPlist {
      values = self.values(of: given, &faults)
      folder = file(given)?.deletingLastPathComponent()
    } else if let found = foundInfoPlist {
      values = self.values(of: found, &faults)
      folder = found.deletingLastPathComponent()
    } else if entitlements == nil {
      return .all
    }
    let others = entitlements.map { [$0] } ?? folder.map(entitlementFiles) ?? []
    for other in others {
      values.merge(self.values(of: other, &faults)) { own, _ in own }
    }
    for fault in faults { say(.unusableDeclaration(fault)) }
    return AppGrants(values)
  }

  /// `Info.plist` in the working directory, or beside the program.
  private static var foundInfoPlist: URL? {
    let folders = [
      URL(fileURLWithPath: FileManager.default.currentDirectoryPath),
      URL(fileURLWithPath: CommandLine.arguments.first ?? "").deletingLastPathComponent(),
    ]
    return folders.map { $0.appendingPathComponent("Info.plist") }
      .first { FileManager.default.isReadableFile(atPath: $0.path) }
  }

  private static func entitlementFiles(in folder: URL) -> [Any] {
    let files = try? FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    return (files ?? []).filter { $0.pathExtension == "entitlements" }
      .sorted { $0.path < $1.path }
  }

  /// The file that `given` names; nil for a dictionary.
  private static func file(_ given: Any) -> URL? {
    (given as? URL) ?? (given as? String).map { URL(fileURLWithPath: $0) }
  }

  /// What stands in a file or a dictionary. One that cannot be read grants nothing.
  private static func values(of given: Any, _ faults: inout [String]) -> [String: AppGrants.Value] {
    guard let file = file(given) else {
      guard let dictionary = given as? [String: Any] else {
        faults.append("it is neither a path, nor a URL, nor a dictionary")
        return [:]
      }
      return values(of: dictionary)
    }
    do {
      let data = try Data(contentsOf: file)
      if data.starts(with: "bplist".utf8) {
        let list = try unsafe PropertyListSerialization.propertyList(from: data, format: nil)
        return values(of: list as? [String: Any] ?? [:])
      }
      return try PropertyListFile.values(parsing: Array(data))
    } catch let fault as PropertyListFile.FormatError {
      faults.append("\(file.path) cannot be used: \(fault.reason)")
    } catch {
      faults.append("\(file.path) cannot be read")
    }
    return [:]
  }

  private static func values(of dictionary: [String: Any]) -> [String: AppGrants.Value] {
    dictionary.compactMapValues { value in
      if let text = value as? String { return .string(text) }
      if let texts = value as? [Any] { return .strings(texts.compactMap { $0 as? String }) }
      return nil
    }
  }
}
