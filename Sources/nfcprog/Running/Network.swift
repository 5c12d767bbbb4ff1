import Dispatch
import SiteFetching
import Synchronization

/// Fetching for a command, which waits for the answer.
enum Network {
  /// The files of a domain that was named on the command line. Fails with `badInput` for what is no domain.
  static func files(ofDomain domain: String) throws(CommandFailure) -> SiteFetch {
    do throws(FetchFailure) {
      return try files(ofHost: domain)
    } catch {
      throw CommandFailure(.badInput, "\(error)")
    }
  }

  static func files(ofHost host: String) throws(FetchFailure) -> SiteFetch {
    try waiting { () async -> Result<SiteFetch, FetchFailure> in
      do throws(FetchFailure) {
        return .success(try await SiteFetcher().fetch(domain: host))
      } catch {
        return .failure(error)
      }
    }.get()
  }

  static func file(at address: String) -> AddressFetch {
    waiting { await SiteFetcher().fetch(address: address) }
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
