import Clibpq

/// libpq, loaded when it is first asked for and kept for the life of the process.
@safe struct PQ: @unchecked Sendable {
  // Unchecked: the functions are found once and never change; libpq's own state is in its
  // connections.
  let functions: pq_library

  /// The failure says why there is none.
  static let shared = Result<PQ, PoolError> { () throws(PoolError) in try PQ() }

  private init() throws(PoolError) {
    var functions = pq_library()
    if let reason = unsafe pq_library_open(&functions) {
      throw .noLibrary(unsafe String(cString: reason))
    }
    self.functions = functions
  }
}
