import Testing

@testable import HubKit

@Suite struct HubStoreTests {
  @Test func `a filter asks for nothing unless told`() {
    #expect(HubJobFilter() == HubJobFilter(state: nil))
  }
}
