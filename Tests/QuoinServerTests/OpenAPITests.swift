import Foundation
import Quoin
import Testing

@testable import QuoinServer

/// The description of the server, held against the server.
struct OpenAPITests {
  private let server: ServerProcess
  private let paths: [String: [String: [String: Any]]]

  init() throws {
    server = try ServerProcess.shared.get()
    let json = try JSONSerialization.jsonObject(with: Data(server.get("/openapi.json").body))
    let document = try #require(json as? [String: Any])
    #expect(document["openapi"] as? String == "3.1.0")
    #expect((document["info"] as? [String: Any])?["version"] as? String == Release.version)
    paths = try #require(document["paths"] as? [String: [String: [String: Any]]])
  }

  private static let examples = [
    "database": "WIKI", "dataset": "FDX", "vendor": "WIKI", "table": "PRICES", "file": "MANIFEST",
    "shard": "shard-0001",
  ]

  private func example(_ path: String) -> String {
    Self.examples.reduce(path) { $0.replacing("{\($1.key)}", with: $1.value) }
  }

  @Test func every_route_is_described_and_every_described_path_is_answered() throws {
    #expect(Set(paths.keys) == Set(ServerRoutes.ofPrograms.map(\.pattern.description)))
    for (path, operations) in paths {
      let answer = try server.get(example(path))
      if path == "/store/{shard}/{file}" {
        // The store has no shards.
        #expect(answer.status == 404)
        continue
      }
      #expect(answer.status == 200, "\(path): \(answer.text.prefix(200))")
      let responses = operations["get"]?["responses"] as? [String: [String: Any]]
      let content = responses?["200"]?["content"] as? [String: Any]
      let type = answer.headers["content-type"]?.split(separator: ";").first.map { String($0) }
      #expect(type.map { content?[$0] != nil } == true, "\(path): \(type ?? "")")
    }
  }

  @Test func every_described_method_is_answered_and_no_other() throws {
    for (path, operations) in paths {
      for method in ["GET", "POST", "PUT", "DELETE"] {
        let wire = try server.connect()
        wire.send(server.head("\(method) \(example(path))", ["content-length: 2"]) + "{}")
        let status = wire.answer()?.status
        let isDescribed = operations[method.lowercased()] != nil
        // A GET with a body is refused.
        #expect(status == (!isDescribed ? 405 : method == "GET" ? 400 : 200), "\(method) \(path)")
      }
    }
  }

  /// A value that no parameter can have brings another answer, or it wasn't read.
  @Test func every_described_parameter_is_read() throws {
    for (path, operations) in paths {
      let plain = try server.get(example(path))
      for parameter in try #require(operations["get"]?["parameters"] as? [[String: Any]]) {
        guard parameter["in"] as? String == "query" else { continue }
        let name = try #require(parameter["name"] as? String)
        let answer = try server.get(example(path) + "?\(name)=no-such-value")
        #expect(answer.status != 200 || answer.body != plain.body, "\(path): \(name)")
      }
    }
  }

  /// Generators of clients make types of these.
  @Test func every_answer_in_json_is_as_described() throws {
    var count = 0
    for (path, operations) in paths {
      let responses = operations["get"]?["responses"] as? [String: [String: Any]]
      let content = responses?["200"]?["content"] as? [String: [String: Any]]
      guard let schema = content?["application/json"]?["schema"] as? [String: Any] else { continue }
      for query in [
        "", "?limit=2", "?qopts.export=true", "?by=month&aggregates=mean(close),min(low)", "?column_index=99",
      ] {
        let answer = try server.get(example(path) + query)
        guard answer.status == 200, answer.headers["content-type"]?.hasPrefix("application/json") == true else {
          continue
        }
        let value = try JSONSerialization.jsonObject(with: Data(answer.body), options: .fragmentsAllowed)
        #expect(Self.fault(of: value, schema) == nil, "\(path)\(query)")
        count += 1
      }
      #expect(schema["properties"] != nil || schema["items"] != nil || path == "/openapi.json", "\(path)")
    }
    #expect(count > 20)
    #expect(Self.fault(of: ["a": 1], ["type": "object", "properties": ["a": ["type": "string"]]]) != nil)
    #expect(Self.fault(of: ["b": 1], ["type": "object", "required": ["a"]]) != nil)
    #expect(Self.fault(of: ["b": 1], ["type": "object", "properties": ["a": ["type": "string"]]]) != nil)
  }

  /// What isn't as a schema says: a type, a required member, or a member that isn't described.
  private static func fault(of value: Any, _ schema: [String: Any]) -> String? {
    let types = schema["type"] as? [String] ?? (schema["type"] as? String).map { [$0] } ?? []
    guard types.isEmpty || types.contains(where: { isOf($0, value) }) else { return "\(value) is no \(types)" }
    if let items = schema["items"] as? [String: Any], let values = value as? [Any] {
      return values.lazy.compactMap { fault(of: $0, items) }.first
    }
    guard let object = value as? [String: Any], let properties = schema["properties"] as? [String: [String: Any]] else {
      let required = schema["required"] as? [String] ?? []
      return required.first { (value as? [String: Any])?[$0] == nil }
    }
    if let absent = (schema["required"] as? [String] ?? []).first(where: { object[$0] == nil }) {
      return "no \(absent)"
    }
    for (name, member) in object {
      guard let described = properties[name] else { return "\(name) isn't described" }
      if let fault = fault(of: member, described) { return "\(name): \(fault)" }
    }
    return nil
  }

  private static func isOf(_ type: String, _ value: Any) -> Bool {
    switch type {
    case "null": value is NSNull
    case "string": value is String
    case "boolean": value is Bool
    case "integer": (value as? NSNumber).map { $0.doubleValue == $0.doubleValue.rounded() } == true
    case "number": value is NSNumber
    case "array": value is [Any]
    default: value is [String: Any]
    }
  }

  @Test func choices_and_defaults_are_described() throws {
    let parameters = try #require(paths["/api/v1/scan"]?["get"]?["parameters"] as? [[String: Any]])
    let schemas = parameters.reduce(into: [:]) { $0[$1["name"] as? String] = $1["schema"] as? [String: Any] }
    #expect(schemas["format"]?["enum"] as? [String] == ["json", "csv", "ndjson", "arrow"])
    #expect(schemas["order"]?["default"] as? String == "asc")
    #expect(schemas["limit"]?["minimum"] as? Int == 0)
  }
}
