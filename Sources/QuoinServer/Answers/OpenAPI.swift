import QuandlService
import Quoin

/// The description of all routes in OpenAPI 3.1, for `/openapi.json`.
enum OpenAPI {
  static var answer: ServiceAnswer {
    ServiceAnswer(headers: [("content-type", MediaType.json)], body: AnswerBody(bytes))
  }

  private static let bytes = Array(document.text.utf8)

  private static let document: JSONValue = [
    "openapi": "3.1.0",
    "info": [
      "title": "Quoin", "version": .string(Release.version),
      "description": "Daily stock quotes: Quandl's API under /api/v3, and Quoin's own under /api/v1.",
    ],
    "servers": [["url": "/"]],
    // A server without a token answers everybody.
    "security": [[:], ["bearer": []], ["header": []], ["query": []]],
    "paths": .object(Route.allCases.map { ($0.path, pathItem($0)) }),
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

  private static func pathItem(_ route: Route) -> JSONValue {
    let parameters = route.pathParameters + route.queryParameters.map(\.json)
    var members = [("get", operation(route, "\(route)", parameters))]
    if route.methods.contains("POST") {
      members.append(("post", operation(route, "\(route)ByPost", route.pathParameters, body: route.bodySchema)))
    }
    return .object(members)
  }

  private static func operation(
    _ route: Route, _ name: String, _ parameters: [JSONValue], body: JSONValue? = nil
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

  private static func responses(_ route: Route) -> JSONValue {
    let content = route.mediaTypes.map { ($0, JSONValue.object([("schema", [:])])) }
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
