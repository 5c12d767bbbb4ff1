extension APIDescription {
  static func operation(
    _ id: String, _ summary: String, _ parameters: [Object], answers: Object,
    isOpen: Bool = false, atReader: Bool = false
  ) -> Object {
    var operation: Object = ["operationId": id, "summary": summary, "responses": answers]
    var all = parameters
    if atReader {
      all.insert(
        [
          "name": "reader", "in": "path", "required": true,
          "description": "A reader's id: GET /v1/readers has all.",
          "schema": ["type": "string", "minLength": 1] as Object,
        ], at: 0)
    }
    if !all.isEmpty { operation["parameters"] = all }
    if isOpen || id == "health" { operation["security"] = [Object]() }
    return operation
  }

  static func parameter(_ name: String, _ text: String, _ schema: Object) -> Object {
    ["name": name, "in": "query", "description": text, "schema": schema]
  }

  static let wait = parameter(
    "wait", "Seconds to wait for others at the reader; 0: a 409 at once (30).",
    ["type": "integer", "minimum": 0, "maximum": 600] as Object)

  static func answer(_ text: String, _ schema: Object) -> Object {
    [
      "description": text,
      "content": ["application/json": ["schema": schema] as Object] as Object,
    ]
  }

  static func json(_ name: String) -> Object {
    answer(name, ["$ref": "#/components/schemas/\(name)"] as Object)
  }

  static func problems(_ statuses: String...) -> Object {
    Object(
      uniqueKeysWithValues: statuses.map {
        ($0, ["$ref": "#/components/responses/Problem"] as Object as any Sendable)
      })
  }

  /// What every request with a token may be answered.
  static let asked = problems("400", "401", "403", "421", "429", "503")
  /// What a command at a reader may be answered beside that.
  static let worked = problems("404", "408", "409", "422", "500", "502")

  static let problem: Object = [
    "description": "RFC 9457.",
    "content": [
      "application/problem+json": ["schema": ["$ref": "#/components/schemas/Problem"] as Object]
        as Object
    ] as Object,
  ]

  private static let texts: Object = ["type": "string"]
  private static let whole: Object = ["type": "integer"]

  private static func object(_ required: [String], _ properties: Object) -> Object {
    ["type": "object", "required": required, "properties": properties]
  }

  static let schemas: Object = [
    "Health": object(["status", "schema"], ["status": texts, "schema": whole]),
    "Pairing": object(
      ["origin", "token", "schema"], ["origin": texts, "token": texts, "schema": whole]),
    "Problem": object(
      ["type", "title", "status", "detail", "schema"],
      [
        "type": ["type": "string", "format": "uri"] as Object, "title": texts, "status": whole,
        "detail": texts, "schema": whole,
        "code": [
          "type": "integer",
          "description": "The exit status of a command that failed so.",
        ] as Object,
        "report": ["$ref": "#/components/schemas/Report"] as Object,
      ]),
    "Readers": object(
      ["readers", "schema"],
      [
        "schema": whole,
        "readers": [
          "type": "array",
          "items": object(
            ["id", "reader", "state", "waiting"],
            [
              "id": texts, "reader": texts, "waiting": whole,
              "state": ["enum": ["ready", "busy", "away"]] as Object,
            ]),
        ] as Object,
      ]),
    "Report": [
      "type": "object", "required": ["command", "result", "schema"],
      "description": "What the command prints with --json: Docs/Formats.md has its members.",
      "properties": [
        "command": texts, "schema": whole, "result": texts,
        "confirm": [
          "type": "string",
          "description": "Of a dry run: yes to what cannot be undone, for the member confirm.",
        ] as Object,
        "data": ["type": "string", "contentEncoding": "base64"] as Object,
      ] as Object,
    ] as Object,
  ]
}

func + (left: APIDescription.Object, right: APIDescription.Object) -> APIDescription.Object {
  left.merging(right) { one, _ in one }
}

extension Member {
  var schema: APIDescription.Object {
    var schema: APIDescription.Object =
      switch kind {
      case .flag: ["type": "boolean"]
      case .text(let longest): ["type": "string", "minLength": 1, "maxLength": longest]
      case .choice(let words): ["enum": words]
      case .address(let word):
        [
          "type": "string", "pattern": "^(\(word)|[Hh][Tt][Tt][Pp][Ss]://[^\\u0000]*)$",
          "maxLength": 2000,
        ]
      case .hex: Self.hex
      case .texts(let longest):
        Self.list(["type": "string", "minLength": 1, "maxLength": longest])
      case .hexes: Self.list(Self.hex)
      case .seconds(let most): ["type": "number", "minimum": 0, "maximum": most]
      case .records: Self.list(Self.record)
      case .content: ["type": "string", "contentEncoding": "base64", "minLength": 4]
      }
    schema["description"] = text
    return schema
  }

  private static let hex: APIDescription.Object = [
    "type": "string", "pattern": "^[0-9A-Fa-f]+$", "minLength": 2, "maxLength": 8192,
  ]

  private static func list(_ items: APIDescription.Object) -> APIDescription.Object {
    ["type": "array", "minItems": 1, "maxItems": 100, "items": items]
  }

  private static var record: APIDescription.Object {
    [
      "type": "object", "minProperties": 1, "maxProperties": 1, "additionalProperties": false,
      "properties": APIDescription.Object(
        uniqueKeysWithValues: recordNames.map { name in
          var value: APIDescription.Object = [
            "type": "string", "minLength": 1, "maxLength": 30_000,
          ]
          if name == messageName { value["pattern"] = "^([0-9A-Fa-f]{2})+$" }
          return (name, value as any Sendable)
        }),
    ]
  }
}
