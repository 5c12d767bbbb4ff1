import TagMemory

/// The capability container of a tag that is to hold a message: which one it gets, and when.
extension Type2State {
  /// Is true if readers look for a message at all.
  var isFormatted: Bool { memory.capabilityContainer?.isNDEF ?? false }

  /// The right container where the one that is there lacks some of its bits, as a write of it that
  /// was cut short leaves it; nil where it does not, or where the chip writes page 3 whole.
  var containerToComplete: CapabilityContainer? {
    let right = map.capabilityContainer
    // Chips before GET_VERSION promise no whole write of page 3, and Ultralight C comes with and
    // without a container.
    let mayBeTorn =
      map.deliveredCapabilityContainer.isBlank || !product.features.contains(.version)
    guard mayBeTorn, let container = memory.capabilityContainer, container.isNDEF,
      container != right, container.canBecome(right)
    else { return nil }
    return right
  }

  /// Adds the write of `container`, where it is to be written, to `program`, which has the writes
  /// of `update` alone; and what readers find between the steps. It is the last write, but where
  /// the tag is an NDEF tag whose container says less than the message takes, which ends at `end`:
  /// a length that goes beyond the area would be no message. `lengthAt`: where that stands.
  func add(
    _ container: CapabilityContainer?, to program: inout TagProgram, of update: AreaUpdate,
    end: Int, lengthAt: Int
  ) {
    let first = update.writes.firstIndex { $0.role == .switchOn }
    let place =
      isFormatted && end > claimedByteCount
      ? first ?? update.writes.count : update.writes.count
    program.showing = showing(
      update, containerAt: container == nil ? nil : place, lengthAt: lengthAt)
    guard let container else { return }
    program.steps.insert(
      .writePage(.capabilityContainer, container.serialize(), .capabilityContainer), at: place)
  }

  /// Returns what readers find between the steps: without a capability container nothing, and with
  /// it what is in the area by then. `containerAt`: which step writes one.
  private func showing(_ update: AreaUpdate, containerAt: Int?, lengthAt: Int) -> Showing {
    guard isFormatted else {
      var showing = Showing(.notNDEF)
      if let containerAt { showing.change(to: .newMessage, after: containerAt) }
      return showing
    }
    // An area that ends before the length shows no message, not an empty one either.
    let isCut = containerAt != nil && lengthAt >= claimedByteCount
    func seen(_ shows: Shows) -> Shows { isCut ? .noMessage : shows }
    let place = containerAt ?? update.writes.count
    var (showing, shows) = (Showing(seen(update.shows)), update.shows)
    for (index, write) in update.writes.enumerated() {
      if index == place { showing.change(to: shows, after: place) }
      shows = write.shows
      showing.change(
        to: index < place ? seen(shows) : shows, after: index + (index < place ? 0 : 1))
    }
    if containerAt == update.writes.count { showing.change(to: shows, after: place) }
    return showing
  }

  /// Bytes of the area, by the container that is there.
  private var claimedByteCount: Int { memory.capabilityContainer?.areaByteCount ?? 0 }
}
