import NIOCore

/// Which requests go through which proxy.
public struct ProxySettings: Hashable, Sendable {
  /// The proxy for addresses with http.
  public var http: Proxy?
  /// The proxy for addresses with https.
  public var https: Proxy?
  /// Hosts that are spoken to without a proxy: names, which stand for all names that end with them too, addresses, networks
  /// such as `10.0.0.0/8`, or `*` for all.
  public var exceptions: [String] = []

  /// No proxies.
  public init() {}

  /// The proxies that variables of an environment name, as curl reads them: `http_proxy`, `https_proxy`, `all_proxy` and
  /// `no_proxy`, also in upper case. In a web server's program, a client could set `HTTP_PROXY`, so it isn't read there.
  ///
  /// - Throws: `QuandlClientError`, which names the variable.
  public init(environment: [String: String]) throws(QuandlClientError) {
    func variable(_ name: String) -> (name: String, value: String)? {
      for name in [name, name.uppercased()] {
        if name == "HTTP_PROXY", environment["REQUEST_METHOD"] != nil { continue }
        if let value = environment[name], !value.isEmpty { return (name, value) }
      }
      return nil
    }
    func proxy(_ name: String) throws(QuandlClientError) -> Proxy? {
      guard let (name, value) = variable(name) ?? variable("all_proxy") else { return nil }
      do { return try Proxy(value) } catch { throw QuandlClientError(.usage, "\(name): \(error.message)") }
    }
    http = try proxy("http_proxy")
    https = try proxy("https_proxy")
    let list = variable("no_proxy")?.value ?? ""
    exceptions = list.split { $0 == "," || $0 == " " }.map(String.init)
  }

  /// The proxy on the way to a server; nil for none.
  func proxy(for origin: Origin) -> Proxy? {
    if exceptions.contains(where: { Self.matches($0, origin.host) }) { return nil }
    return origin.scheme == "https" ? https : http
  }

  private static func matches(_ exception: String, _ host: String) -> Bool {
    if exception == "*" { return true }
    if let address = address(host) { return isIn(exception, address) }
    let name = exception.lowercased().drop { $0 == "." }
    return !name.isEmpty && (host == name || host.hasSuffix(".\(name)"))
  }

  /// Whether an address is the one that `text` spells, or in its network.
  private static func isIn(_ text: String, _ host: SocketAddress) -> Bool {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard let network = address(parts[0]), parts.count > 1 else { return address(text) == host }
    guard case .v4(let network) = network, case .v4(let host) = host, let count = Int(parts[1]),
      (0...32).contains(count)
    else { return false }
    let difference = UInt32(bigEndian: network.address.sin_addr.s_addr ^ host.address.sin_addr.s_addr)
    return difference.leadingZeroBitCount >= count
  }

  /// The address that a host spells; nil if it is a name.
  private static func address(_ host: some StringProtocol) -> SocketAddress? {
    try? SocketAddress(ipAddress: String(host).filter { $0 != "[" && $0 != "]" }, port: 0)
  }
}
