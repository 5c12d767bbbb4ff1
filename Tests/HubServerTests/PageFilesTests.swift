import Foundation
import Testing

@testable import HubServer

@Suite("The page's files")
struct PageFilesTests {
  /// The folder that the program's files are made of.
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Sources/HubServer/Page/Files").standardized

  @Test("every file of the folder is served as it stands, and nothing else is")
  func served() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    let paths = names.map { $0 == "index.html" ? "/" : "/assets/\($0)" }
    #expect(PageFiles.paths == paths.sorted())
    for (name, path) in zip(names, paths) {
      let body = try Data(contentsOf: Self.folder.appending(path: name))
      #expect(PageFiles.file(at: path)?.body == Array(body), "\(path)")
    }
    for path in ["", "/assets/", "/assets/../hub.js", "/index.html", "/assets/index.html"] {
      #expect(PageFiles.file(at: path) == nil, "\(path)")
    }
  }

  @Test("a browser takes each file for what it is")
  func types() {
    let types = [
      "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8",
      "css": "text/css; charset=utf-8", "svg": "image/svg+xml",
    ]
    for path in PageFiles.paths {
      let ending = path == "/" ? "html" : String(path.split(separator: ".").last ?? "")
      #expect(PageFiles.file(at: path)?.contentType == types[ending], "\(path)")
    }
  }

  @Test("files that differ have tags that differ")
  func tags() {
    let tags = PageFiles.paths.compactMap { PageFiles.file(at: $0)?.tag }
    #expect(Set(tags).count == PageFiles.paths.count)
    #expect(tags.allSatisfy { $0.hasPrefix("\"") && $0.hasSuffix("\"") && $0.utf8.count == 18 })
  }

  /// What the page's security policy forbids would be dead: scripts and styles within the page.
  @Test("scripts and styles stand in files of their own")
  func inline() throws {
    let page = String(decoding: try #require(PageFiles.file(at: "/")).body, as: UTF8.self)
    #expect(!page.contains("<style") && !page.contains(" style=") && !page.contains(" on"))
    #expect(page.components(separatedBy: "<script").count == 2)
    for path in PageFiles.paths where path.hasSuffix(".js") {
      let text = String(decoding: try #require(PageFiles.file(at: path)).body, as: UTF8.self)
      for word in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("] {
        #expect(!text.contains(word), "\(path) has \(word)")
      }
    }
  }
}
