@testable import Quoin

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A gzip or a zip: whatever it says, it is the same text or the same error, however much is asked for at a time.
@safe
final class PackedTarget {
  private let directory = TemporaryDirectory()
  /// A file that is overwritten for each input, and so never waits for the disk.
  private let path: String
  private let stream: UnsafeMutablePointer<FILE>!

  /// More text than this isn't read: a small input can hold much.
  private static let byteCountMax = 1 << 20

  init() {
    path = directory.path + "/input"
    unsafe stream = fopen(path, "wb")
  }

  deinit { unsafe fclose(stream) }

  func read(_ input: UnsafeRawBufferPointer) throws {
    unsafe rewind(stream)
    unsafe fwrite(input.baseAddress, 1, input.count, stream)
    unsafe fflush(stream)
    unsafe ftruncate(fileno(stream), off_t(input.count))
    let (whole, inSteps) = (unpacked(by: 1 << 16), unpacked(by: 61))
    try agree(
      inSteps.isLike(whole),
      "\(inSteps.text.count) bytes \(String(describing: inSteps.error)), not \(whole.text.count) \(String(describing: whole.error))"
    )
  }

  private struct Unpacked {
    var text: [UInt8] = []
    var error: ImportError?
    var isCut = false

    func isLike(_ other: Unpacked) -> Bool {
      // What comes before an error depends on how much is asked for.
      if isCut || other.isCut { return text.starts(with: other.text) || other.text.starts(with: text) }
      return error == other.error && (error != nil || text == other.text)
    }
  }

  private func unpacked(by byteCount: Int) -> Unpacked {
    var result = Unpacked()
    var buffer = [UInt8](repeating: 0, count: byteCount)
    do throws(ImportError) {
      var file = try InputFile(path: path)
      while result.text.count < Self.byteCountMax {
        var span = buffer.mutableSpan
        var room = unsafe span.mutableBytes
        let count = try file.read(into: &room)
        if count == 0 { return result }
        result.text += buffer[..<count]
      }
      result.isCut = true
    } catch { result.error = error }
    return result
  }
}
