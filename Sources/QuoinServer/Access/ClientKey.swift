/// Who asks, for shares and patience: an address, or of IPv6 the half of it that a provider gives to one customer.
struct ClientKey: Hashable, Sendable {
  private let text: String

  /// - Parameter address: as the log has it; nil if it isn't known.
  init(_ address: String?) {
    let address = String((address ?? "").prefix(64))
    guard address.contains(":") else {
      text = address
      return
    }
    let groups = address.split(separator: ":", omittingEmptySubsequences: false)
    // An IPv4 address in IPv6's form.
    if let last = groups.last, last.contains(".") {
      text = String(last)
      return
    }
    let start = groups.prefix { !$0.isEmpty }.prefix(4)
    text = (start + Array(repeating: "0", count: 4 - start.count)).joined(separator: ":")
  }
}
