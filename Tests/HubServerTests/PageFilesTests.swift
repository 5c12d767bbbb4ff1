import Foundation
import Ledger
import Testing

@testable import HTTPServing
@testable import HubServer

@Suite("The page's files")
struct PageFilesTests {
  /// The folder that the program's files are made of.
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Sources/Fronts/HubServer/Page/Files").standardized

  @Test("every file of the folder is in the program as it stands, and nothing else is")
  func complete() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    let paths = names.map { $0 == "index.html" ? "/" : "/assets/\($0)" }
    #expect(PageFiles.bodies.keys.sorted() == paths.sorted())
    for (name, path) in zip(names, paths) {
      let body = try Data(contentsOf: Self.folder.appending(path: name))
      #expect(PageFiles.bodies[path] == Array(body), "\(path)")
    }
  }

  @Test("the page has a word for each cause, from the table of all others")
  func causes() throws {
    let path = Self.folder.appending(path: "causes.js")
    if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] != nil {
      try Data(CauseFile.body).write(to: path)
    }
    #expect(try Data(contentsOf: path) == Data(CauseFile.body))
    let text = String(decoding: CauseFile.body, as: UTF8.self)
    for cause in TagCause.allCases {
      #expect(text.contains("\"\(cause.rawValue)\":\"\(cause.row.title)\""))
    }
    #expect(text.contains(#""returned": {"":"failed","interrupted":"left""#))
    #expect(text.contains(#""held": {"":"held"}"#) && text.contains(#""written": {"":"passed"}"#))
  }

  /// What the page's security policy forbids would be dead: scripts and styles within the page.
  @Test("scripts and styles stand in files of their own, and no text becomes markup")
  func inline() throws {
    let page = String(decoding: try #require(PageFiles.bodies["/"]), as: UTF8.self)
    #expect(!page.contains("<style") && !page.contains(" style=") && !page.contains(" on"))
    #expect(page.components(separatedBy: "<script").count == 2)
    for (path, body) in PageFiles.bodies where path.hasSuffix(".js") {
      let text = String(decoding: body, as: UTF8.self)
      for word in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("] {
        #expect(!text.contains(word), "\(path) has \(word)")
      }
    }
  }
}
