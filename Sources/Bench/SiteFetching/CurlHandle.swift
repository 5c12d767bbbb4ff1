import Clibcurl

/// One of libcurl's easy handles: a request's options, then what is known of its end. Used by one
/// thread.
@safe final class CurlHandle {
  private var curl: curl_library
  private let handle: UnsafeMutableRawPointer
  private let message: UnsafeMutablePointer<CChar>
  private var lists: [UnsafeMutablePointer<curl_slist>] = unsafe []

  init(_ curl: Curl) {
    unsafe self.curl = curl.functions
    guard let handle = unsafe curl.functions.easy_init() else {
      fatalError("libcurl has no memory left")
    }
    unsafe self.handle = handle
    unsafe message = .allocate(capacity: Int(CURL_ERROR_SIZE))
    unsafe message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    unsafe curl_set_pointer(&self.curl, handle, CURLOPT_ERRORBUFFER, message)
    unsafe curl_set_quick_exit(&self.curl, handle)
  }

  deinit {
    unsafe curl.easy_cleanup(handle)
    while let list = unsafe lists.popLast() { unsafe curl.slist_free_all(list) }
    unsafe message.deallocate()
  }

  func set(_ option: CURLoption, _ value: Int) {
    unsafe curl_set_long(&curl, handle, option, value)
  }

  /// Nil takes a default back.
  func set(_ option: CURLoption, _ text: String?) {
    unsafe curl_set_text(&curl, handle, option, text)
  }

  func set(_ option: CURLoption, _ bytes: [UInt8]) {
    unsafe curl_set_bytes(&curl, handle, option, bytes, bytes.count)
  }

  func set(_ option: CURLoption, _ lines: [String]) {
    var list: UnsafeMutablePointer<curl_slist>?
    for line in lines { unsafe list = curl.slist_append(list, line) }
    guard let list = unsafe list else { return }
    unsafe lists.append(list)
    unsafe curl_set_pointer(&curl, handle, option, list)
  }

  /// Gives each line of the answer's head, then its body piece by piece, to `taker`, and asks it
  /// now and then whether to go on. The one that gives them does not keep `taker`.
  func deliver(to taker: Transfer) {
    let context = unsafe Unmanaged.passUnretained(taker).toOpaque()
    unsafe curl_set_taker(&curl, handle, CURLOPT_HEADERFUNCTION) { text, size, count, context in
      let bytes = unsafe UnsafeRawBufferPointer(start: text, count: size * count)
      guard let context = unsafe context else { return 0 }
      let transfer = unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
      return unsafe transfer.takeHead(Array(bytes)) ? bytes.count : 0
    }
    unsafe curl_set_pointer(&curl, handle, CURLOPT_HEADERDATA, context)
    unsafe curl_set_taker(&curl, handle, CURLOPT_WRITEFUNCTION) { text, size, count, context in
      let bytes = unsafe UnsafeRawBufferPointer(start: text, count: size * count)
      guard let context = unsafe context else { return 0 }
      let transfer = unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
      return unsafe transfer.takeBody(Array(bytes)) ? bytes.count : 0
    }
    unsafe curl_set_pointer(&curl, handle, CURLOPT_WRITEDATA, context)
    unsafe curl_set_progress(&curl, handle) { context, _, _, _, _ in
      guard let context = unsafe context else { return 1 }
      return unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue().isCancelled
        ? 1 : 0
    }
    unsafe curl_set_pointer(&curl, handle, CURLOPT_XFERINFODATA, context)
    set(CURLOPT_NOPROGRESS, 0)
  }

  /// Blocks until the answer is there, or is refused.
  func perform() -> CURLcode { unsafe curl.easy_perform(handle) }

  /// 0 where nothing is known.
  func value(_ info: CURLINFO) -> Int { unsafe curl_get_long(&curl, handle, info) }

  /// Is true if the server's certificate names hosts beside its subject; only after
  /// `CURLOPT_CERTINFO`.
  var hasAlternativeNames: Bool { unsafe curl_has_alternative_names(&curl, handle) != 0 }

  /// Returns what went wrong, in libcurl's words, without a full stop.
  func reason(_ code: CURLcode) -> String {
    let own = unsafe String(cString: message)
    let text = own.isEmpty ? unsafe String(cString: curl_text(&curl, code)) : own
    let printable = text.unicodeScalars.map { (0x20..<0x7F).contains($0.value) ? $0 : " " }
    var line = String(String.UnicodeScalarView(printable.prefix(200)))
    while let last = line.last, last == " " || last == "." { line.removeLast() }
    return line
  }
}
