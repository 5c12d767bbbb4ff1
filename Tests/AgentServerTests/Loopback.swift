#if canImport(Glibc)
  import Glibc
  import Testing

  /// A connection within this machine.
  struct Loopback {
    private let listener: CInt
    private let client: CInt
    private let accepted: CInt
    /// The ports of the end that was connected to, and of the other one.
    let ours: Int
    let theirs: Int

    init(_ family: CInt) throws {
      listener = socket(family, CInt(SOCK_STREAM.rawValue), 0)
      client = socket(family, CInt(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_in6()
      var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
      address.sin6_family = sa_family_t(family)
      if family == AF_INET6 {
        unsafe inet_pton(family, "::1", &address.sin6_addr)
      } else {
        // 127.0.0.1, where struct sockaddr_in has its address.
        address.sin6_flowinfo = UInt32(0x7F00_0001).bigEndian
      }
      func pointed(_ body: (UnsafeMutablePointer<sockaddr>) -> CInt) -> CInt {
        unsafe withUnsafeMutablePointer(to: &address) { place in
          unsafe place.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0) }
        }
      }
      let (listener, client) = (listener, client)
      try #require(unsafe pointed { unsafe bind(listener, $0, length) } == 0)
      try #require(listen(listener, 1) == 0)
      try #require(unsafe pointed { unsafe getsockname(listener, $0, &length) } == 0)
      ours = Int(UInt16(bigEndian: address.sin6_port))
      try #require(unsafe pointed { unsafe connect(client, $0, length) } == 0)
      try #require(unsafe pointed { unsafe getsockname(client, $0, &length) } == 0)
      theirs = Int(UInt16(bigEndian: address.sin6_port))
      accepted = accept(listener, nil, nil)
    }

    /// The other end goes; this one keeps what is left of the connection.
    func leave() { Glibc.close(client) }

    func close() { for file in [accepted, listener] { Glibc.close(file) } }
  }
#endif
