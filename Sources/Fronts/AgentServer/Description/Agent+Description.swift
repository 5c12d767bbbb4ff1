import Foundation
import HTTPServing
import Hummingbird

extension Agent {
  /// What the agent takes and gives, for programs that make clients of it.
  func addDescription(_ routes: ServedRoutes) {
    routes.get("/v1/openapi.json") { request, _ in
      _ = try Query(request, takes: [])
      return Agent.json(text: APIDescription.text)
    }
  }
}

/// The agent in the words of OpenAPI 3.1, made of the same tables that requests are read by.
enum APIDescription {
  typealias Object = [String: any Sendable]

  static let text: String = {
    let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
    let data = try? JSONSerialization.data(withJSONObject: document, options: options)
    return String(decoding: data ?? Data("{}".utf8), as: UTF8.self)
  }()

  static var document: Object {
    var paths: Object = [
      "/health": [
        "get": operation("health", "The agent is there.", [], answers: ["200": json("Health")])
      ] as Object,
      "/v1/openapi.json": [
        "get": operation(
          "openapi", "This description.", [],
          answers: ["200": answer("The description.", ["type": "object"] as Object)] + asked)
      ] as Object,
      "/v1/readers": [
        "get": operation("readers", "The readers.", [], answers: ["200": json("Readers")] + asked)
      ] as Object,
      "/v1/pairing": [
        "post": operation(
          "pairing", "Gives a page a token of its own, where a person says yes.",
          [
            parameter(
              "code", "The page shows it to its reader, and the agent to the person who is asked.",
              ["type": "string", "pattern": "^[0-9]{1,6}$"] as Object)
          ],
          answers: ["200": json("Pairing")] + problems("400", "403", "408", "413", "421", "429"),
          isOpen: true)
      ] as Object,
      "/v1/readers/{reader}/tag": [
        "get": operation(
          "tag", Command.info.summary,
          [
            parameter(
              "tag", "The expected tag type.",
              ["type": "string", "minLength": 1, "maxLength": 200] as Object),
            parameter(
              "timeout", "Seconds to wait for a tag.",
              ["type": "integer", "minimum": 0, "maximum": 60] as Object),
            parameter("count", "Also the tag's counters.", ["type": "boolean"] as Object), wait,
          ], answers: ["200": json("Report")] + asked + worked, atReader: true)
      ] as Object,
      "/v1/readers/{reader}/events": [
        "get": operation(
          "events", "Server-sent events: tag, gone, several, away; beat every two seconds.", [],
          answers: ["200": stream] + asked + problems("404"), atReader: true)
      ] as Object,
      "/v1/events": [
        "get": operation(
          "all-events", "The same of all readers: each event names its own.", [],
          answers: ["200": stream] + asked)
      ] as Object,
    ]
    for path in AgentPages.bodies.keys { paths[path] = file(path) }
    for command in Command.all { paths["/v1/readers/{reader}/\(command.name)"] = path(command) }
    return [
      "openapi": "3.1.0",
      "info": [
        "title": "nfcprog agent", "version": "1",
        "description": "Programs NFC tags at the readers of this machine.",
      ] as Object,
      "security": [["token": [String]()] as Object] as [Object],
      "paths": paths,
      "components": [
        "schemas": schemas,
        "responses": ["Problem": problem] as Object,
        "securitySchemes": ["token": ["type": "http", "scheme": "bearer"] as Object] as Object,
      ] as Object,
    ]
  }

  private static let stream: Object = [
    "description": "The stream.",
    "content": ["text/event-stream": ["schema": ["type": "string"] as Object] as Object] as Object,
  ]

  /// A file that a browser opens or a page loads.
  private static func file(_ path: String) -> Object {
    let type = String(ServedRoutes.type(of: path).prefix { $0 != ";" })
    let answer: Object = [
      "description": "The file.",
      "content": [type: ["schema": ["type": "string"] as Object] as Object] as Object,
    ]
    let name = path.filter(\.isLetter)
    return [
      "get": operation(
        "file-\(name)", path == AgentPages.library ? "Web NFC for pages." : "The page to try tags.",
        [], answers: ["200": answer] + problems("400", "403", "421"), isOpen: true)
    ]
  }

  private static func path(_ command: Command) -> Object {
    let dryRun = parameter(
      "dry-run", "Give the plan, and write nothing.", ["type": "boolean"] as Object)
    var post = operation(
      command.name, command.summary, command.writes ? [dryRun, wait] : [wait],
      answers: ["200": json("Report")] + asked + worked + problems("413", "415")
        + (command.writes ? problems("428") : [:]), atReader: true)
    post["requestBody"] =
      [
        "required": command.members.contains(where: \.isRequired),
        "content": ["application/json": ["schema": schema(command)] as Object] as Object,
      ] as Object
    return ["post": post]
  }

  private static func schema(_ command: Command) -> Object {
    var schema: Object = [
      "type": "object", "additionalProperties": false,
      "properties": Object(
        uniqueKeysWithValues: command.members.map { ($0.name, $0.schema as any Sendable) }),
    ]
    let required = command.members.filter(\.isRequired).map(\.name)
    if !required.isEmpty { schema["required"] = required }
    return schema
  }
}
