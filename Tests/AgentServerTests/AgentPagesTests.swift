import Foundation
import Testing

@testable import AgentServer

@Suite("The agent's pages")
struct AgentPagesTests {
  @Test("every file of the folder is in the program as it stands, and no text becomes markup")
  func complete() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/Fronts/AgentServer/Page/Files").standardized
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let paths = names.map { $0 == "try.html" ? "/try" : "/\($0)" }
    #expect(AgentPages.bodies.keys.sorted() == paths.sorted())
    for (name, path) in zip(names, paths) {
      let body = try Data(contentsOf: folder.appending(path: name))
      #expect(AgentPages.bodies[path] == Array(body), "\(path)")
      let text = String(decoding: body, as: UTF8.self)
      // What the page's security policy forbids would be dead: scripts and styles within it.
      for word in [
        "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "<style",
        " style=", " onclick",
      ] { #expect(!text.contains(word), "\(path) has \(word)") }
    }
  }
}
