import Deflate
import Testing

@testable import Quoin
@testable import QuoteGenerator

/// Long bytes are compared by `elementsEqual`, as the message of a failed `==` would take minutes to find all differences.
@Suite struct DeflateTests {
  /// Bytes that compress a little, in pieces of all sizes.
  private static func pieces(_ byteCount: Int) -> [[UInt8]] {
    var random = SeededRandom(seed: 1)
    var pieces: [[UInt8]] = []
    var left = byteCount
    while left > 0 {
      let count = min(left, random.element(of: [0, 1, 7, 1000, 65_536, 200_000]))
      pieces.append((0..<count).map { _ in UInt8(random.below(20)) })
      left -= count
    }
    return pieces
  }

  private static let sizes = [0, 1, 100, 70_000, 500_000]

  @Test(arguments: sizes) func gzip_unpacks_a_gzip_stream(_ byteCount: Int) throws {
    let pieces = Self.pieces(byteCount)
    var stream = GzipStream()
    var packed: [UInt8] = []
    for piece in pieces { packed += stream.compress(piece, finish: false) }
    packed += stream.compress([], finish: true)
    #expect(try Tool.output(of: ["gzip", "-dc", "FILE"], on: packed)?.elementsEqual(pieces.joined()) == true)
    #expect(packed.count < byteCount || byteCount < 100)
  }

  @Test func one_call_packs_all_of_a_short_body() throws {
    var stream = GzipStream()
    let packed = stream.compress(Array("date,close\n".utf8), finish: true)
    #expect(try Tool.output(of: ["gzip", "-dc", "FILE"], on: packed) == Array("date,close\n".utf8))
  }

  private static func zip(_ pieces: [[UInt8]], limit: UInt64? = nil) -> [UInt8] {
    var stream = limit.map { ZipStream(fileName: "quotes.csv", limit: $0) } ?? ZipStream(fileName: "quotes.csv")
    var packed = stream.head
    for piece in pieces { packed += stream.compress(piece) }
    return packed + stream.finish()
  }

  /// Reads the only file of a zip, which Python checks against the checksum; its name has to be right, and a second check
  /// goes over the whole.
  private static let python = [
    "python3", "-c",
    """
    import sys, zipfile
    z = zipfile.ZipFile(sys.argv[1])
    assert z.namelist() == ['quotes.csv'] and z.testzip() is None, z.namelist()
    sys.stdout.buffer.write(z.read('quotes.csv'))
    """, "FILE",
  ]

  private static let readers = [["gzip", "-dc", "FILE"], ["unzip", "-p", "FILE"], python].filter { Tool.exists($0[0]) }

  @Test(arguments: readers, sizes) func a_zip_is_unpacked_by_every_tool(_ reader: [String], _ byteCount: Int) throws {
    let pieces = Self.pieces(byteCount)
    #expect(try Tool.output(of: reader, on: Self.zip(pieces))?.elementsEqual(pieces.joined()) == true)
  }

  /// As if these sizes didn't fit in 32 bits.
  @Test(arguments: readers) func a_large_zip_is_unpacked(_ reader: [String]) throws {
    let pieces = Self.pieces(70_000)
    #expect(try Tool.output(of: reader, on: Self.zip(pieces, limit: 1000))?.elementsEqual(pieces.joined()) == true)
  }

  @Test(arguments: sizes, [nil, 1000]) func an_import_unpacks_it(_ byteCount: Int, _ limit: UInt64?) throws {
    let pieces = Self.pieces(byteCount)
    var gzip = GzipStream()
    let packed = [Self.zip(pieces, limit: limit), gzip.compress(Array(pieces.joined()), finish: true)]
    for bytes in packed {
      let text = try Tool.withFile(bytes) { path in
        var file = try InputFile(path: path)
        var (text, buffer): ([UInt8], [UInt8]) = ([], Array(repeating: 0, count: 10_000))
        while true {
          var span = buffer.mutableSpan
          var room = unsafe span.mutableBytes
          let count = try file.read(into: &room)
          if count == 0 { return text }
          text += buffer[..<count]
        }
      }
      #expect(text.elementsEqual(pieces.joined()))
    }
  }

  @Test func a_damaged_zip_is_noticed() throws {
    var packed = Self.zip(Self.pieces(70_000))
    packed[5000] ^= 1
    for reader in Self.readers { #expect(try Tool.output(of: reader, on: packed) == nil, "\(reader[0])") }
  }

  @Test func equal_data_are_equal_bytes() {
    #expect(Self.zip(Self.pieces(70_000)) == Self.zip(Self.pieces(70_000)))
  }
}
