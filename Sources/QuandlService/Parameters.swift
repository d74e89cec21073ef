import Quoin

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The parameters of a request, from its query and from the JSON object that a POST sends.
///
/// A name may have several values: `ticker[]=A&ticker[]=B`, `"ticker": ["A", "B"]`. An empty value counts as absent, and so
/// does null.
struct Parameters {
  /// Parameters that clients send along with every question, and that mean nothing to the service.
  static let namesOfClients: Set = ["api_key", "auth_token", "authtoken", "api_version"]

  /// The names in the order of their first appearance.
  private(set) var items: [(name: String, values: [String])] = []
  /// The names that came with an empty value.
  private(set) var namesWithoutValue: [String] = []
  private var places: [String: Int] = [:]

  init(of request: ServiceRequest) throws(ServiceError) {
    for (name, value) in request.query { add(value, to: name) }
    guard request.method == .post else { return }
    for (name, value) in try ServiceRequest.values(posted: request.body) { add(value, to: name) }
  }

  /// The value of a parameter with one of these names, the first that is present; the last of its values.
  func value(_ names: [String]) -> String? { names.lazy.compactMap { values($0).last }.first }

  /// All values of a parameter; empty if it is absent.
  func values(_ name: String) -> [String] { places[name].map { items[$0].values } ?? [] }

  private mutating func add(_ value: String, to name: String) {
    let name = name.hasSuffix("[]") ? String(name.dropLast(2)) : name
    guard !value.isEmpty else { return namesWithoutValue.append(name) }
    if let place = places[name] {
      items[place].values.append(value)
    } else {
      places[name] = items.count
      items.append((name, [value]))
    }
  }

}

extension ServiceRequest {
  /// The names and values of the object in a POST's body; none if it is empty. A list gives a name several values.
  package static func values(posted body: [UInt8]) throws(ServiceError) -> [(name: String, value: String)] {
    guard !body.isEmpty else { return [] }
    do {
      let object = try JSONDecoder().decode([String: PostedValue].self, from: Data(body))
      let parts = object.sorted { $0.key < $1.key }.flatMap { $0.value.parameters($0.key) }
      return parts.flatMap { name, texts in texts.map { (name, $0) } }
    } catch {
      let example = #"{"ticker": ["FDX"], "date.gte": "2005-01-03"}"#
      throw ServiceError(.badParameter, "The body isn't a JSON object of names and values, such as \(example).")
    }
  }
}

/// A value in a posted object: a text, a number, a Boolean, null, a list of these, or an object of comparisons, as in
/// `"date": {"gte": "2005-01-03", "lt": "2006-01-01"}`.
private struct PostedValue: Decodable {
  private var texts: [String] = []
  private var comparisons: [String: ListOrScalar] = [:]

  init(from decoder: any Decoder) throws {
    if let object = try? decoder.container(keyedBy: Name.self) {
      for name in object.allKeys { comparisons[name.stringValue] = try object.decode(ListOrScalar.self, forKey: name) }
    } else {
      texts = try ListOrScalar(from: decoder).texts
    }
  }

  /// The names and values that this value of a name stands for.
  func parameters(_ name: String) -> [(name: String, texts: [String])] {
    guard comparisons.isEmpty else {
      return comparisons.sorted { $0.key < $1.key }.map { ("\(name).\($0.key)", $0.value.texts) }
    }
    return [(name, texts)]
  }

  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  private struct ListOrScalar: Decodable {
    var texts: [String] = []

    init(from decoder: any Decoder) throws {
      if var list = try? decoder.unkeyedContainer() {
        while !list.isAtEnd { texts += try list.decode(Scalar.self).text.map { [$0] } ?? [] }
      } else {
        texts = try Scalar(from: decoder).text.map { [$0] } ?? []
      }
    }
  }

  private struct Scalar: Decodable {
    /// Nil for null.
    let text: String?

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      text =
        if value.decodeNil() {
          nil
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
