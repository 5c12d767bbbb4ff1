import Hummingbird
import Synchronization

/// Which methods each address takes: for the answer to another method.
package final class KnownAddresses: Sendable {
  private let templates = Mutex<[([String], [HTTPRequest.Method])]>([])

  package init() {}

  package func add(_ method: HTTPRequest.Method, _ path: String) {
    let parts = path.split(separator: "/").map(String.init)
    let methods = method == .get ? [.get, .head] : [method]
    templates.withLock { templates in
      if let index = templates.firstIndex(where: { $0.0 == parts }) {
        templates[index].1 += methods
      } else {
        templates.append((parts, methods))
      }
    }
  }

  /// Each path, with its places for parts as `:name`.
  package var all: [(path: String, methods: [HTTPRequest.Method])] {
    templates.withLock { $0.map { ("/" + $0.0.joined(separator: "/"), $0.1) } }
  }

  /// Nil: there is nothing at the path.
  package func methods(of path: String) -> [HTTPRequest.Method]? {
    let parts = path.split(separator: "/")
    return templates.withLock { templates in
      templates.first { template, _ in
        template.count == parts.count
          && zip(template, parts).allSatisfy { $0.hasPrefix(":") || $0 == $1 }
      }?.1
    }
  }
}
