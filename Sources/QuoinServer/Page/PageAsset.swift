import Charts
import Crypto
import QuandlService

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A file that pages are made with. Its address says what is in it, so a browser never asks for it twice.
struct PageAsset: Sendable {
  private let name: String
  let address: String
  let bytes: [UInt8]
  private let type: MediaType
  /// The SHA-256 digest, as the content security policy and `integrity` have it.
  let digest: String

  private init(_ name: String, _ type: MediaType, _ bytes: [UInt8]) {
    let digest = Array(SHA256.hash(data: bytes))
    let start = digest.prefix(8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    (self.name, self.bytes, self.type, address) = (name, bytes, type, "/page/\(start)/\(name)")
    self.digest = "sha256-" + Data(digest).base64EncodedString()
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
