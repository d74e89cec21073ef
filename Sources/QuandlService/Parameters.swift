import Quoin

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A question's parameters, from the query and from the flat JSON object that a POST brings.
///
/// A name may have several values: `ticker[]=A&ticker[]=B`, `"ticker": ["A", "B"]`. An empty value is an absent one.
struct Parameters {
  /// In the order in which the names first came.
  private(set) var items: [(name: String, values: [String])] = []
  private var places: [String: Int] = [:]

  init(of request: ServiceRequest) throws(ServiceError) {
    for (name, value) in request.query { add(value, to: name) }
    guard request.method == .post, !request.body.isEmpty else { return }
    for (name, values) in try Self.posted(request.body) {
      for value in values.texts { add(value, to: name) }
    }
  }

  /// The value of a parameter that has one of these names; of several values the last one.
  func value(_ names: [String]) -> String? {
    for name in names {
      if let place = places[name] { return items[place].values.last }
    }
    return nil
  }

  private mutating func add(_ value: String, to name: String) {
    guard !value.isEmpty else { return }
    let name = name.hasSuffix("[]") ? String(name.dropLast(2)) : name
    if let place = places[name] {
      items[place].values.append(value)
    } else {
      places[name] = items.count
      items.append((name, [value]))
    }
  }

  private static func posted(_ body: [UInt8]) throws(ServiceError) -> [(String, PostedValue)] {
    do {
      let object = try JSONDecoder().decode([String: PostedValue].self, from: Data(body))
      return object.sorted { $0.key < $1.key }
    } catch {
      let example = #"{"ticker": ["FDX"], "date.gte": "2005-01-03"}"#
      throw ServiceError(.badParameter, "The body is no JSON object of names and values, such as \(example).")
    }
  }
}

/// A value in a posted object: a text, a number, a truth value, null, or a list of such.
private struct PostedValue: Decodable {
  var texts: [String] = []

  init(from decoder: any Decoder) throws {
    guard var list = try? decoder.unkeyedContainer() else {
      texts = [try Scalar(from: decoder).text]
      return
    }
    while !list.isAtEnd { texts.append(try list.decode(Scalar.self).text) }
  }

  private struct Scalar: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      text =
        if value.decodeNil() {
          ""
        } else if let text = try? value.decode(String.self) {
          text
        } else if let truth = try? value.decode(Bool.self) {
          truth ? "true" : "false"
        } else if let integer = try? value.decode(Int64.self) {
          String(integer)
        } else {
          try value.decode(Double.self).description
        }
    }
  }
}
