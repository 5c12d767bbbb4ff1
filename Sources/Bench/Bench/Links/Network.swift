import Dispatch
import SiteFetching
import Synchronization
import WebAddress

/// Fetching of sites' files; a call waits for the answer.
package struct Network: Sendable {
  private let fetcher: SiteFetcher

  /// Heeds `https_proxy` and `SSL_CERT_FILE`, as other programs do. Fails with `configuration`
  /// where they say something impossible.
  package init(_ environment: Environment) throws(BenchError) {
    var configuration = FetchConfiguration.standard
    if let text = environment["https_proxy"] ?? environment["HTTPS_PROXY"] {
      // A proxy's password may stand in it: it is not repeated.
      guard let proxy = FetchConfiguration.Proxy(text) else {
        throw BenchError(
          .configuration, "https_proxy must be http://host:port, without a user or a password.")
      }
      configuration.proxy = proxy
    }
    if let path = environment["SSL_CERT_FILE"] {
      do {
        configuration.trustedRoots = try Files.read(path)
      } catch {
        throw BenchError(.configuration, "SSL_CERT_FILE: \(error.reason)")
      }
    }
    fetcher = SiteFetcher(configuration)
  }

  /// The files of a domain that a person named. Fails with `badInput` for what is no domain.
  package func files(ofDomain domain: String) throws(BenchError) -> SiteFetch {
    do throws(FetchError) {
      return try files(ofHost: domain)
    } catch {
      throw BenchError(.badInput, "\(error)")
    }
  }

  package func files(ofHost host: String) throws(FetchError) -> SiteFetch {
    try Self.waiting { [fetcher] () async -> Result<SiteFetch, FetchError> in
      do throws(FetchError) {
        return .success(try await fetcher.fetch(domain: host))
      } catch {
        return .failure(error)
      }
    }.get()
  }

  package func file(at address: String) -> AddressFetch {
    Self.waiting { [fetcher] in await fetcher.fetch(address: address) }
  }

  /// Returns whether the site redirects `link`.
  package func redirection(of link: Address) -> Redirection? {
    Self.waiting { [fetcher] in await fetcher.redirection(of: link) }
  }

  /// Blocks until `work` is done; only for the main thread, which no task needs.
  private static func waiting<T: Sendable>(_ work: @escaping @Sendable () async -> T) -> T {
    let box = Box<T>()
    Task.detached {
      let value = await work()
      box.value.withLock { $0 = value }
      box.isDone.signal()
    }
    while true {
      box.isDone.wait()
      if let value = box.value.withLock({ $0 }) { return value }
    }
  }

  private final class Box<T: Sendable>: Sendable {
    let value = Mutex<T?>(nil)
    let isDone = DispatchSemaphore(value: 0)
  }
}
