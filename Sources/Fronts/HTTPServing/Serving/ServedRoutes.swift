import Hummingbird

/// Where routes are added, and where is known which there are.
package struct ServedRoutes {
  package let router: Router<ServingContext>
  package let addresses: KnownAddresses

  package init(router: Router<ServingContext>, addresses: KnownAddresses) {
    (self.router, self.addresses) = (router, addresses)
  }

  package func get(
    _ path: String,
    _ answer: @escaping @Sendable (Request, ServingContext) async throws -> Response
  ) {
    addresses.add(.get, path)
    router.get(RouterPath(path), use: answer)
    // The framework's own answer to HEAD has the length 0 where none is known.
    router.head(RouterPath(path), use: answer)
  }

  package func post(
    _ path: String,
    _ answer: @escaping @Sendable (Request, ServingContext) async throws -> Response
  ) {
    addresses.add(.post, path)
    router.post(RouterPath(path), use: answer)
  }
}
