#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A socket with a path, to which programs send messages.
final class MessageSocket {
  private let descriptor: Int32

  /// - Parameter seconds: how long a message is waited for.
  init(path: String, seconds: Int) throws {
    #if canImport(Glibc)
      descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    #else
      descriptor = socket(AF_UNIX, SOCK_DGRAM, 0)
    #endif
    // A child of another test would keep the connection open when this one has left.
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    var limit = timeval(tv_sec: seconds, tv_usec: 0)
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    let status = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard status == 0 else { throw WireError(code: errno) }
  }

  deinit { close(descriptor) }

  /// The next message; nil when none comes in time.
  func message() -> String? {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let size = unsafe recv(descriptor, &buffer, buffer.count, 0)
    return size > 0 ? String(decoding: buffer[..<size], as: UTF8.self) : nil
  }
}

/// A connection to the server on which a test says exactly what it wants, byte by byte.
final class Wire {
  let descriptor: Int32
  private var unread: [UInt8] = []

  /// - Parameters:
  ///   - seconds: how long each read and write may take.
  ///   - takesLittle: whether the kernel keeps only some kilobytes that weren't read yet.
  init(port: Int, seconds: Int = 20, takesLittle: Bool = false) throws {
    #if canImport(Glibc)
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    // A child of another test would keep the connection open when this one has left.
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    var limit = timeval(tv_sec: seconds, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      unsafe setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
    var byteCount: Int32 = 4096
    if takesLittle {
      unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &byteCount, socklen_t(MemoryLayout<Int32>.size))
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let status = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else { throw WireError(code: errno) }
  }

  deinit { close(descriptor) }

  /// Sends all of it; false when the server doesn't take it any more.
  @discardableResult
  func send(_ bytes: some Collection<UInt8>) -> Bool {
    let bytes = Array(bytes)
    var sent = 0
    while sent < bytes.count {
      let count = unsafe bytes.withUnsafeBytes {
        unsafe systemSend(descriptor, $0.baseAddress! + sent, $0.count - sent)
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  @discardableResult
  func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  /// Says that nothing more comes, and listens on.
  func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Lets the kernel forget the connection: the server gets a reset in place of an end.
  func vanish() {
    var option = linger(l_onoff: 1, l_linger: 0)
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    leave()
  }

  /// Closes the connection, as a browser does whose page is closed.
  func leave() {
    // The number stays ours until the object goes.
    let null = unsafe open("/dev/null", O_RDONLY)
    dup2(null, descriptor)
    close(null)
  }

  /// Some bytes; empty at the end, and when none come in time.
  func read(upTo count: Int = 1 << 16) -> [UInt8] {
    if !unread.isEmpty {
      defer { unread.removeFirst(min(count, unread.count)) }
      return Array(unread.prefix(count))
    }
    var buffer = [UInt8](repeating: 0, count: count)
    let size = unsafe recv(descriptor, &buffer, buffer.count, 0)
    return size > 0 ? Array(buffer[..<size]) : []
  }

  func readToEnd() -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      let piece = read()
      if piece.isEmpty { return bytes }
      bytes += piece
    }
  }

  /// Whether the server closes the connection within the time of a read.
  var isClosedByServer: Bool {
    while true {
      errno = 0
      if !read().isEmpty { continue }
      return errno != EAGAIN && errno != EWOULDBLOCK
    }
  }

  /// The next answer; nil when the connection ends before one.
  func answer(toHead isHead: Bool = false) -> WireAnswer? {
    guard let head = readLines() else { return nil }
    var answer = WireAnswer(head: head)
    if isHead || answer.status == 304 || answer.status == 204 { return answer }
    if answer.headers["transfer-encoding"] == "chunked" {
      guard let body = readChunks() else { return nil }
      answer.body = body
    } else if let length = answer.headers["content-length"].flatMap({ Int($0) }) {
      guard let body = readExactly(length) else { return nil }
      answer.body = body
    } else {
      answer.body = readToEnd()
    }
    return answer
  }

  /// The rest of an answer whose first bytes were read before.
  func rest(from start: [UInt8]) -> WireAnswer? {
    unread = start + unread
    return answer()
  }

  private func readLines() -> [String]? {
    var lines: [String] = []
    while let line = readLine() {
      if line.isEmpty { return lines }
      lines.append(line)
    }
    return nil
  }

  private func readLine() -> String? {
    while true {
      if let end = unread.firstIndex(of: 10) {
        let line = unread[..<end].filter { $0 != 13 }
        unread.removeFirst(end + 1)
        return String(decoding: line, as: UTF8.self)
      }
      guard readMore() else { return nil }
    }
  }

  private func readExactly(_ count: Int) -> [UInt8]? {
    while unread.count < count { guard readMore() else { return nil } }
    defer { unread.removeFirst(count) }
    return Array(unread[..<count])
  }

  private func readChunks() -> [UInt8]? {
    var body: [UInt8] = []
    while let line = readLine(), let count = Int(line, radix: 16) {
      guard let bytes = readExactly(count), readLine() != nil else { return nil }
      if count == 0 { return body }
      body += bytes
    }
    return nil
  }

  private func readMore() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let size = unsafe recv(descriptor, &buffer, buffer.count, 0)
    if size > 0 { unread += buffer[..<size] }
    return size > 0
  }
}

struct WireError: Error {
  let code: Int32
}

/// What came back.
struct WireAnswer: CustomStringConvertible {
  let line: String
  /// By lower-case names; of several with one name, the last.
  let headers: [String: String]
  var body: [UInt8] = []

  fileprivate init(head: [String]) {
    line = head.first ?? ""
    headers = Dictionary(
      head.dropFirst().map { line in
        let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        return (parts[0].lowercased(), String(parts.last ?? "").trimmed)
      }, uniquingKeysWith: { $1 })
  }

  var status: Int { line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0 }
  var text: String { String(decoding: body, as: UTF8.self) }
  var description: String { "\(line) \(headers) \(body.count) bytes: \(text.prefix(200))" }
}

extension String {
  fileprivate var trimmed: String { String(drop { $0 == " " }) }
}

private func systemSend(_ descriptor: Int32, _ start: UnsafeRawPointer, _ count: Int) -> Int {
  #if canImport(Glibc)
    unsafe send(descriptor, start, count, Int32(MSG_NOSIGNAL))
  #else
    unsafe send(descriptor, start, count, 0)
  #endif
}
