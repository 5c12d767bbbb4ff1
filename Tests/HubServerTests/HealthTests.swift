import Hummingbird
import HummingbirdTesting
import Testing

@testable import HubServer

@Suite struct HealthTests {
  @Test func `the server says that it is well`() async throws {
    let application = Application(router: HubApplication.router())
    try await application.test(.router) { client in
      try await client.execute(uri: "/health", method: .get) { response in
        #expect(response.status == .ok)
      }
    }
  }
}
