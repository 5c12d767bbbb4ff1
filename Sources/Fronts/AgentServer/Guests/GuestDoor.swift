import Bench
import Foundation

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Where commands of the agent's user ask for its readers.
final class GuestDoor: Sendable {
  private let socket: AgentSocket
  private let file: CInt

  /// Listens in `folder`, which is made. Throws where that cannot be.
  init(_ folder: String, _ stations: Stations) throws(PrivateFile.Failure) {
    try PrivateFile.makeFolder(folder)
    AgentSocket.removeLeft(in: folder)
    socket = AgentSocket(ofThisProcessIn: folder)
    guard let file = socket.listen() else {
      throw PrivateFile.Failure(reason: unsafe String(cString: strerror(errno)))
    }
    self.file = file
    // So many guests are here at once, and none takes the descriptors that others need.
    let places = DispatchSemaphore(value: 0)
    for _ in 0..<64 { places.signal() }
    Thread.detachNewThread {
      while true {
        places.wait()
        let guest = accept(file, nil, nil)
        if guest < 0 {
          guard [EINTR, ECONNABORTED, EMFILE, ENFILE].contains(errno) else { return }
          usleep(10_000)
          places.signal()
          continue
        }
        _ = fcntl(guest, F_SETFD, FD_CLOEXEC)
        Thread.detachNewThread { Self.admit(guest, stations) { places.signal() } }
      }
    }
  }

  private static func admit(
    _ file: CInt, _ stations: Stations, leaving: @escaping @Sendable () -> Void
  ) {
    guard let channel = AgentChannel(file), let guest = Guest(channel, stations) else {
      return leaving()
    }
    Task {
      await guest.serve()
      leaving()
    }
  }

  /// Lets nobody in any more.
  func close() {
    socket.remove()
    _ = shutdown(file, CInt(SHUT_RDWR))
  }
}
