import Deflate
import Foundation
import Testing

/// The pixels of a PNG with 8 bits for each of red, green, blue and perhaps alpha, not interlaced: what rsvg-convert writes.
struct PixelPicture {
  let width: Int
  let height: Int
  private(set) var bytes: [UInt8] = []

  /// The PNG that rsvg-convert makes of an SVG, at half its size; nil if the program isn't there.
  static func png(of svg: String) throws -> [UInt8]? {
    guard
      let program = ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"].map({ "\($0)/rsvg-convert" }).first(where: {
        FileManager.default.isExecutableFile(atPath: $0)
      })
    else { return nil }
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("quoin-chart-\(UUID().uuidString).svg")
    try svg.write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    let (process, pipe) = (Process(), Foundation.Pipe())
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = ["--zoom", "0.5", file.path]
    process.standardOutput = pipe
    try process.run()
    let png = Array(pipe.fileHandleForReading.readDataToEndOfFile())
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return png
  }

  init(_ png: [UInt8]) throws {
    func number(_ start: Int) -> Int { png[start..<(start + 4)].reduce(0) { $0 << 8 | Int($1) } }
    (width, height) = (number(16), number(20))
    try #require(png[24] == 8 && [2, 6].contains(png[25]) && png[28] == 0, "a PNG of another kind")
    let channels = png[25] == 6 ? 4 : 3
    var packed: [UInt8] = []
    var start = 8
    while start + 8 < png.count {
      let count = number(start)
      if Array(png[(start + 4)..<(start + 8)]) == Array("IDAT".utf8) {
        packed += png[(start + 8)..<(start + 8 + count)]
      }
      start += count + 12
    }
    bytes = Self.unfiltered(
      try Self.inflated(Array(packed.dropFirst(2)), (width * channels + 1) * height), width * channels, channels)
  }

  private static func inflated(_ packed: [UInt8], _ count: Int) throws -> [UInt8] {
    var output = [UInt8](repeating: 0, count: count)
    let (source, inflater) = (packed.span, Inflater.plain)
    var target = output.mutableSpan
    var bytes = unsafe target.mutableBytes
    _ = unsafe inflater.inflate(source.bytes, into: &bytes)
    return output
  }

  /// Each line begins with how its bytes were predicted, of those on the left and above.
  private static func unfiltered(_ lines: [UInt8], _ width: Int, _ channels: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(lines.count)
    for line in 0..<(lines.count / (width + 1)) {
      let start = line * (width + 1)
      for column in 0..<width {
        let left = column >= channels ? Int(bytes[bytes.count - channels]) : 0
        let above = line > 0 ? Int(bytes[bytes.count - width]) : 0
        let corner = column >= channels && line > 0 ? Int(bytes[bytes.count - width - channels]) : 0
        let prediction =
          switch lines[start] {
          case 1: left
          case 2: above
          case 3: (left + above) / 2
          case 4: nearest(left, above, corner)
          default: 0
          }
        bytes.append(lines[start + 1 + column] &+ UInt8(prediction))
      }
    }
    return bytes
  }

  private static func nearest(_ left: Int, _ above: Int, _ corner: Int) -> Int {
    let (a, b, c) = (abs(above - corner), abs(left - corner), abs(left + above - 2 * corner))
    return a <= b && a <= c ? left : b <= c ? above : corner
  }

  /// How far the pictures differ on average, from 0 to 1; 1 for other sizes.
  func difference(from other: PixelPicture) -> Double {
    guard width == other.width, height == other.height else { return 1 }
    let sum = zip(bytes, other.bytes).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    return Double(sum) / Double(bytes.count) / 255
  }
}
