import QuandlService
import Quoin

/// The description of all routes in OpenAPI 3.1, for `/openapi.json`.
enum OpenAPI {
  static var answer: ServiceAnswer {
    ServiceAnswer(.json, body: AnswerBody(bytes))
  }

  private static let bytes = Array(document.text.utf8)

  private static let document: JSONValue = [
    "openapi": "3.1.0",
    "info": [
      "title": "Quoin", "version": .string(Release.version),
      "description": "Daily stock quotes: Quandl's API under /api/v3, and Quoin's own under /api/v1.",
    ],
    "servers": [["url": "/"]],
    // A server without a token answers every client.
    "security": [[:], ["bearer": []], ["header": []], ["query": []]],
    "paths": .object(ServerRoutes.ofPrograms.map { ($0.pattern.description, pathItem($0)) }),
    "components": [
      "securitySchemes": [
        "bearer": ["type": "http", "scheme": "bearer"],
        "header": ["type": "apiKey", "in": "header", "name": "x-api-token"],
        "query": ["type": "apiKey", "in": "query", "name": "api_key"],
      ],
      "schemas": ["Error": error],
    ],
  ]

  private static let error: JSONValue = [
    "type": "object", "required": ["quandl_error"],
    "properties": [
      "quandl_error": [
        "type": "object", "required": ["code", "message"],
        "properties": [
          "code": ["type": "string", "pattern": "^QE[A-Z]x[0-9]{2}$"], "message": ["type": "string"],
        ],
      ]
    ],
  ]

  private static func pathItem(_ route: ServerRoute) -> JSONValue {
    let inPath = route.pattern.variables.map(pathParameter)
    var members = [("get", operation(route, route.name, inPath + route.parameters.map(\.json)))]
    if route.methods.contains(.post) {
      members.append(("post", operation(route, route.name + "ByPost", inPath, body: postedObject(route))))
    }
    return .object(members)
  }

  private static func pathParameter(_ name: String) -> JSONValue {
    ["name": .string(name), "in": "path", "required": true, "schema": ["type": "string"]]
  }

  /// What a POST sends: the parameters of the query as one object.
  private static func postedObject(_ route: ServerRoute) -> JSONValue {
    [
      "type": "object", "additionalProperties": true,
      "properties": .object(route.parameters.map { ($0.name, ["anyOf": .array($0.posted)]) }),
    ]
  }

  private static func operation(
    _ route: ServerRoute, _ name: String, _ parameters: [JSONValue], body: JSONValue? = nil
  ) -> JSONValue {
    var members: [(name: String, value: JSONValue)] = [
      ("operationId", .string(name)), ("summary", .string(route.summary)), ("parameters", .array(parameters)),
    ]
    if let body {
      members.append(("requestBody", ["required": true, "content": ["application/json": ["schema": body]]]))
    }
    members.append(("responses", responses(route)))
    return .object(members)
  }

  private static func schema(of route: ServerRoute, as type: MediaType) -> JSONValue {
    switch type {
    case .json: AnswerSchema.of(route.name) ?? ["type": "object"]
    case .zip, .bytes, .arrow: ["type": "string", "format": "binary"]
    case .csv, .ndjson, .xml, .metrics, .html, .css, .javaScript, .svg, .events: ["type": "string"]
    }
  }

  private static func responses(_ route: ServerRoute) -> JSONValue {
    let content = route.mediaTypes.map { type in
      (type.name, JSONValue.object([("schema", schema(of: route, as: type))]))
    }
    let refused: JSONValue = [
      "description": "What is wrong, in Quandl's form.",
      "content": ["application/json": ["schema": ["$ref": "#/components/schemas/Error"]]],
    ]
    return [
      "200": ["description": .string(route.summary), "content": .object(content)],
      "4XX": refused, "5XX": refused,
    ]
  }
}

extension ParameterDescription {
  /// The parameter of a query, as OpenAPI has it.
  fileprivate var json: JSONValue {
    let also = alias.map { " \($0) means the same." } ?? ""
    return ["name": .string(name), "in": "query", "description": .string(meaning + also), "schema": .object(schema)]
  }

  fileprivate var schema: [(name: String, value: JSONValue)] {
    switch values {
    case .text: [("type", "string")] + defaultMember { .string($0) }
    case .day: [("type", "string"), ("format", "date")] + defaultMember { .string($0) }
    case .words(let words):
      [("type", "string"), ("enum", .array(words.map { .string($0) }))] + defaultMember { .string($0) }
    case .number(let minimum):
      [("type", "integer")] + (minimum.map { [("minimum", .integer($0))] } ?? []) + defaultMember { JSONValue(Int($0)) }
    }
  }

  /// What may be posted as its value: also a list of texts, which stands for a parameter that is given several times, and null,
  /// as if it weren't there.
  fileprivate var posted: [JSONValue] {
    let list: JSONValue = ["type": "array", "items": ["type": "string"]]
    return [.object(schema)] + (values == .text ? [list] : []) + [["type": "null"]]
  }

  private func defaultMember(_ value: (String) -> JSONValue) -> [(name: String, value: JSONValue)] {
    defaultValue.map { [("default", value($0))] } ?? []
  }
}
