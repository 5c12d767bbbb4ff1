import HubKit
import Hummingbird

/// The hub's web server.
package enum HubApplication {
  package static func router() -> Router<BasicRequestContext> {
    let router = Router()
    router.get("/health") { _, _ in "ok" }
    return router
  }
}
