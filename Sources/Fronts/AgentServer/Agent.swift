import Bytes
import HTTPServing
import Hummingbird
import JSON
import Synchronization
import nfcprog

/// What the routes of one agent share.
struct Agent: Sendable {
  let settings: AgentSettings
  let stations: Stations
  let paired: PairedOrigins
  let owner: @Sendable (String, Int, Int) -> Peer
  let room = BodyRoom(limit: 16 << 20)
  let streams = StreamPlaces(limit: 64)
  let questions: Questions
  let kept: KeptAnswers

  init(
    _ settings: AgentSettings, _ stations: Stations,
    owner: @escaping @Sendable (String, Int, Int) -> Peer = Peer.owner,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) throws(PrivateFile.Failure) {
    questions = Questions(now: now)
    (self.settings, self.stations, self.owner) = (settings, stations, owner)
    paired = PairedOrigins(settings)
    kept = try KeptAnswers("\(settings.folder)/answers")
  }

  /// Makes the digests of plans.
  var seal: PlanSeal {
    PlanSeal { [token = settings.token] text in Hex.string(token.sign("plan\n\(text)")) }
  }

  func addAll(_ routes: ServedRoutes) {
    addReaders(routes)
    addCommands(routes)
    addEvents(routes)
    addPairing(routes)
    addDescription(routes)
    routes.files(AgentPages.bodies)
  }

  static func json(text: String) -> Response {
    Response(
      status: .ok, headers: [.contentType: "application/json"],
      body: .init(byteBuffer: ByteBuffer(string: text)))
  }
}
