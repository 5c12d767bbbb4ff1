import Bench
import Bytes
import HTTPServing
import Hummingbird
import JSON
import nfcprog

extension Agent {
  /// What is done at a reader.
  func addCommands(_ routes: ServedRoutes) {
    routes.get("/v1/readers/:reader/tag") { request, context in
      let query = try Query(request, takes: ["tag", "timeout", "count", "wait"])
      let station = try stations.station(context.part("reader"))
      var words = ["info", "--timeout=\(try query.number("timeout", in: 0...60) ?? 0)"]
      if let tag = try query.text("tag") { words.append("--tag=\(tag)") }
      if try query.flag("count") == true { words.append("--count") }
      return try await answer(
        Words(words: words), at: station, Self.patience(query), context, as: nil
      ).response()
    }
    for command in Command.all {
      routes.post("/v1/readers/:reader/\(command.name)") { request, context in
        let query = try Query(request, takes: command.writes ? ["dry-run", "wait"] : ["wait"])
        let patience = try Self.patience(query)
        let isDry = command.writes ? try query.flag("dry-run") ?? false : false
        let station = try stations.station(context.part("reader"))
        let body = try await CollectedBody.bytes(
          request, context, room.share(), upTo: Self.largest)
        let words = try command.words(Self.object(body, request), isDry: isDry)
        guard let key = request.headers[.idempotencyKey] else {
          return try await answer(words, at: station, patience, context, as: nil).response()
        }
        let client = settings.token.sign(
          "client\n\(request.headers[.authorization]?.split(separator: " ").last ?? "")")
        switch try kept.take(key, of: Hex.string(client), digest: digest(of: request, body)) {
        case .answered(let answer): return answer.response(isRepeated: true)
        case .fresh(let keyed):
          return try await answer(words, at: station, patience, context, as: keyed).response()
        }
      }
    }
  }

  /// How long somebody waits for others to be done with a reader.
  private static func patience(_ query: Query) throws(Problem) -> Duration {
    .seconds(try query.number("wait", in: 0...600) ?? 30)
  }

  /// The largest body.
  private static let largest = 1 << 20

  /// The members of the object that was sent; no body is an object without members.
  private static func object(
    _ body: [UInt8], _ request: Request
  ) throws(Problem) -> [JSONMember] {
    let type = request.headers[.contentType]?.lowercased().prefix { $0 != ";" }
    guard !body.isEmpty || type != nil else { return [] }
    guard type == "application/json" else {
      throw Problem(.mediaType, "Send the content type application/json.")
    }
    guard !body.isEmpty else { return [] }
    let root: JSONValue
    do throws(JSONError) {
      root = try JSONDocument(parsing: body).root
    } catch {
      // Where it is wrong, and nothing of what stands there.
      throw Problem(.badRequest, "The body is no JSON: \(error.position).")
    }
    guard let object = root.object else {
      throw Problem(.badRequest, "The body is \(root.typeName), and no object.")
    }
    return object
  }

  /// What a request is known again by.
  private func digest(of request: Request, _ body: [UInt8]) -> String {
    let head = "\(request.method) \(request.uri)\n"
    return Hex.string(settings.token.sign("request\n\(head)\(Hex.string(body))"))
  }

  /// `keyed`: the request has a key, under which its answer is kept from the moment at which
  /// anything is done.
  private func answer(
    _ words: Words, at station: Station, _ patience: Duration, _ context: ServingContext,
    as keyed: KeptAnswers.Request?
  ) async throws -> AgentAnswer {
    let served: ServedCommand
    do throws(BenchError) {
      served = try ServedCommand(words.words, content: words.content)
    } catch {
      // No tag was asked for yet: what did not come in time is a site.
      let status = Served.status(of: error)
      var problem = Problem(exitStatus: status, Served.sentence(error))
      if status == 75 { problem.kind = .siteAway }
      throw problem
    }
    let (seal, shouldStop, kept) = (seal, station.shouldStop, kept)
    return try await station.perform(for: context.client(), patience: patience) { session in
      if let keyed {
        do throws(Problem) {
          try kept.begin(keyed)
        } catch {
          return (AgentAnswer(error), hasLostReader: false)
        }
      }
      let result = served.perform(
        on: session, seal, confirmation: words.confirm, shouldStop: shouldStop)
      let answer = AgentAnswer(result)
      if let keyed {
        if result.isAboutTag { kept.finish(keyed, answer) } else { kept.forget(keyed) }
      }
      return (answer, result.hasLostReader)
    }
  }
}
