/// A pointer into libnfc. It may go from thread to thread: whoever keeps one guards its use with a
/// lock, or is the one thread that owns a device.
@safe struct LibraryPointer: @unchecked Sendable {
  let raw: OpaquePointer

  init?(_ raw: OpaquePointer?) {
    guard let raw = unsafe raw else { return nil }
    unsafe self.raw = raw
  }
}
