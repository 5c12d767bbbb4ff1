#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Texts as C has them, with a NULL behind the last; nil is NULL.
@safe final class CStrings {
  let pointer: UnsafeMutablePointer<UnsafePointer<CChar>?>
  private let count: Int

  init(_ texts: [String?]) {
    count = texts.count
    unsafe pointer = .allocate(capacity: count + 1)
    for index in 0..<count {
      let copy = unsafe texts[index].flatMap { unsafe strdup($0) }
      unsafe (pointer + index).initialize(to: unsafe copy.map { unsafe UnsafePointer($0) })
    }
    unsafe (pointer + count).initialize(to: nil)
  }

  deinit {
    for index in 0..<count { unsafe free(UnsafeMutablePointer(mutating: pointer[index])) }
    unsafe pointer.deallocate()
  }
}
