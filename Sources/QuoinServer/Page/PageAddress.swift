import QuandlService
import Quoin

/// The address of a page: every state of one is in it.
struct PageAddress {
  var path: String
  /// The part of the page to which it leads.
  var part: String?
  /// Names and values, without empty values.
  private(set) var items: [(name: String, value: String)] = []
  /// The names that came without a value.
  private var emptyNames: [String] = []

  init(_ path: String, _ items: [(name: String, value: String)] = []) {
    self.path = path
    self.items = items.filter { !$0.value.isEmpty }
  }

  /// The address of a request, without the keys of Quandl's clients.
  init(_ request: ServiceRequest) {
    self.init(request.path, request.query.filter { !QueryReader.credentials.contains($0.name) })
    emptyNames = request.query.filter(\.value.isEmpty).map(\.name).filter { !QueryReader.credentials.contains($0) }
  }

  /// Checks that all names are known, and each is there once: one that was ignored would ask for something else.
  ///
  /// - Parameter repeatable: those that may be there several times.
  func check(_ known: [String], repeatable: [String] = []) throws(Refusal) {
    for name in items.map(\.name) + emptyNames where !known.contains(name) {
      throw .unknownParameter(name, among: known)
    }
    for name in known where !repeatable.contains(name) && all(name).count > 1 {
      throw .wrongParameter("'\(name)' is given \(all(name).count) times; give it once")
    }
  }

  /// The last value of a name; nil when there is none.
  subscript(name: String) -> String? { items.last { $0.name == name }?.value }

  /// All values of a name.
  func all(_ name: String) -> [String] { items.filter { $0.name == name }.map(\.value) }

  /// The same address with another value, or without one.
  func setting(_ name: String, _ value: String?) -> PageAddress {
    var address = self
    address.items.removeAll { $0.name == name }
    if let value, !value.isEmpty { address.items.append((name, value)) }
    return address
  }

  /// The same address, which leads to a part of the page.
  func at(_ part: String) -> PageAddress {
    var address = self
    address.part = part
    return address
  }

  /// The address as a link has it.
  var text: String {
    let words = path.split(separator: "/", omittingEmptySubsequences: false).map { String($0).percentEncoded }
    let query = items.map { "\($0.name.percentEncoded)=\($0.value.percentEncoded)" }.joined(separator: "&")
    return words.joined(separator: "/") + (query.isEmpty ? "" : "?\(query)") + (part.map { "#\($0)" } ?? "")
  }
}
