import TagMemory

/// What stands behind the message of a Type 2 tag and stays: decided before the first write of a
/// run, since a message that is off tells nothing of it.
struct BehindMessage: Hashable {
  /// Where TLVs of others begin, in the data area; nil where there are none.
  var others: Int?
  /// From where on bytes are somebody's: behind a whole message and its Terminator. Nil where what
  /// stands there may be the rest of a write, or is what a mirror shows.
  var othersBytes: Int?

  /// By what `state`, the tag as the run found it, shows.
  init(_ state: Type2State) {
    let scan = state.scan
    others = scan.othersBehindMessage
    // A write that was cut short has left no Terminator where the message ends.
    guard state.holdsMessageInOrder, state.shownMirror == nil, let message = scan.message,
      let value = message.value, let end = message.endOffset, scan.terminator == end,
      value.isEmpty || Type2NDEF.isMessage(value)
    else { return }
    othersBytes = end + 1
  }
}
