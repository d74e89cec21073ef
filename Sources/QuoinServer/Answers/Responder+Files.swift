import QuandlService
import Quoin

/// The bytes of an answer that lie in a file.
protocol AnswerFile: Sendable {
  var byteCount: Int { get }
  func read(_ range: Range<Int>) throws -> [UInt8]
}

extension SpoolFile: AnswerFile {}
extension StoredFile: AnswerFile {}

extension Responder {
  /// A file of the store as it is on the disk now.
  func storeFile(at path: RequestPath, by route: ServerRoute) async throws -> ReadyAnswer {
    let name = route.pattern.variables.compactMap { route.pattern.value(of: $0, in: path) }.joined(separator: "/")
    guard let file = try await onFileThread({ try store.file(name) }) else { throw Refusal.unknownPath(path.text) }
    let tag = [file.checksum, UInt64(file.byteCount)].map { String($0, radix: 36) }.joined(separator: "-")
    return ReadyAnswer(
      status: 200,
      headers: [
        ("content-type", MediaType.bytes.rawValue), ("etag", "\"\(tag)\""), ("cache-control", "private, no-cache"),
        ("accept-ranges", "bytes"),
      ], contents: .file(file))
  }
}
