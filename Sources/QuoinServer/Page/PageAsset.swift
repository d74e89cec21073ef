import Charts
import Deflate
import QuandlService

/// A file that pages are made with. Its address says what is in it, so a browser never asks for it twice.
struct PageAsset: Sendable {
  private let name: String
  let address: String
  let bytes: [UInt8]
  private let type: MediaType

  private init(_ name: String, _ type: MediaType, _ bytes: [UInt8]) {
    let digits = String(checksum32(of: bytes, after: 0), radix: 16)
    let start = String(repeating: "0", count: 8 - digits.count) + digits
    (self.name, self.bytes, self.type, address) = (name, bytes, type, "/page/\(start)/\(name)")
  }

  static let script = PageAsset(
    "quoin.js", .javaScript, Array(ChartFigure.script(PackageResources.quoin_js).utf8))
  static let style = PageAsset(
    "quoin.css", .css, PackageResources.quoin_css + Array((ChartFigure.sheet + SVGStyle.sheet(.auto)).utf8))
  static let icon = PageAsset("icon.svg", .svg, PackageResources.icon_svg)

  var route: ServerRoute {
    Route(
      name, PathPattern(stringLiteral: address), "What pages are made with", mediaTypes: [type],
      answer: .open { _, _ in
        ServiceAnswer(
          type, headers: [("cache-control", "public, max-age=31536000, immutable")], body: AnswerBody(bytes))
      })
  }
}
