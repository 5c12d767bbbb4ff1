import PN532

/// Telephones that are held to a board one after another, each once the one before has gone.
package final class PhoneQueue: Initiator {
  /// All of them, also those that have gone.
  package let phones: [SimulatedPhone]
  /// Told of each that has gone.
  package var onLeaving: (SimulatedPhone) -> Void = { _ in }
  /// How long nobody is there between two of them.
  private let pause: Duration
  private var index = 0
  private var nextArrival = ContinuousClock.now

  package init(_ phones: [SimulatedPhone], pause: Duration = .zero) {
    (self.phones, self.pause) = (phones, pause)
  }

  private var phone: SimulatedPhone? { index < phones.count ? phones[index] : nil }

  package var hasField: Bool { phone?.hasField ?? false }

  /// Is true if all have come and gone.
  package var isEmpty: Bool { index == phones.count }

  package func select(_ face: TargetFace) -> [UInt8]? {
    while let phone, ContinuousClock.now >= nextArrival {
      if let first = phone.select(face) { return first }
      settle()
    }
    return nil
  }

  package func next() -> InitiatorAct {
    defer { settle() }
    return phone?.next() ?? .left(.released)
  }

  package func take(_ answer: [UInt8]) -> StatusCode {
    defer { settle() }
    return phone?.take(answer) ?? .released
  }

  package func lose() {
    phone?.lose()
    settle()
  }

  /// One that has gone makes room for the next.
  private func settle() {
    guard let phone, phone.hasLeft else { return }
    index += 1
    nextArrival = .now + pause
    onLeaving(phone)
  }
}
