import Synchronization

/// Those who have signed in with a browser, each by a random name that their cookie has. They are forgotten when the server ends.
final class Sessions: Sendable {
  /// How long a session lasts after it was used.
  static let lifetime = Duration.seconds(7 * 24 * 3600)
  /// More than so many sessions end the oldest.
  static let countMax = 1000

  private let ends = Mutex<[String: ContinuousClock.Instant]>([:])

  /// Begins a session, and returns its name: 128 random bits.
  func begin() -> String {
    let name = (0..<2).map { _ in String(UInt64.random(in: 0 ... .max), radix: 36) }.joined(separator: "-")
    ends.withLock { ends in
      ends = ends.filter { $0.value > .now }
      if ends.count >= Self.countMax, let oldest = ends.min(by: { $0.value < $1.value }) { ends[oldest.key] = nil }
      ends[name] = .now + Self.lifetime
    }
    return name
  }

  /// Whether there is a session of this name. It then lasts longer.
  func contains(_ name: String) -> Bool {
    ends.withLock { ends in
      guard let end = ends[name], end > .now else { return false }
      ends[name] = .now + Self.lifetime
      return true
    }
  }

  func end(_ name: String) { ends.withLock { $0[name] = nil } }

  func endAll() { ends.withLock { $0 = [:] } }
}

/// The cookie of a session (RFC 6265). No script reads it, and no page of another site sends it.
enum SessionCookie {
  private static let name = "quoin_session"

  /// The names of sessions in a `cookie` header.
  static func sessions(in header: String?) -> [String] {
    (header ?? "").split(separator: ";").compactMap { pair in
      let parts = pair.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, parts[0].drop(while: { $0 == " " }) == name else { return nil }
      return String(parts[1])
    }
  }

  /// The header that sets it; without a session it removes it.
  static func header(_ session: String?, origin: String) -> (name: String, value: String) {
    let age = session == nil ? 0 : Sessions.lifetime.components.seconds
    let secure = origin.hasPrefix("https://") ? "; Secure" : ""
    return ("set-cookie", "\(name)=\(session ?? ""); Path=/; Max-Age=\(age); HttpOnly; SameSite=Strict\(secure)")
  }
}
