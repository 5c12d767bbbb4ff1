import Clibcurl

/// libcurl, loaded when it is first asked for and kept for the life of the process.
@safe struct Curl: @unchecked Sendable {
  // Unchecked: the functions are found once and never change; libcurl's own state is in its
  // handles.
  let functions: curl_library

  /// The failure says why there is none.
  static let shared = Result<Curl, FetchError> { () throws(FetchError) in try Curl() }

  private init() throws(FetchError) {
    var functions = unsafe curl_library()
    if let reason = unsafe curl_library_open(&functions) {
      throw .noLibrary(unsafe String(cString: reason))
    }
    let code = unsafe functions.global_init(Int(CURL_GLOBAL_ALL))
    guard code == CURLE_OK else {
      throw .noLibrary(unsafe String(cString: curl_text(&functions, code)))
    }
    unsafe self.functions = functions
  }
}
