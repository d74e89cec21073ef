import Foundation
import QuandlService
import Testing

@testable import QuoinServer

/// The list of routes, by which the server finds out what a request is about.
struct RouteTests {
  private func name(_ path: String) -> String? { ServerRoutes.all.route(of: RequestPath(path))?.name }

  @Test func every_path_has_one_route() {
    #expect(Set(ServerRoutes.all.map(\.name)).count == ServerRoutes.all.count)
    for route in ServerRoutes.all {
      let path = route.pattern.description.replacing(/\{\w+\}/) { _ in "X" }
      #expect(ServerRoutes.all.filter { $0 === ServerRoutes.all.route(of: RequestPath(path)) }.count == 1)
      #expect(name(path) == route.name && name("/x" + path) == nil && name("x" + path) == nil)
    }
    for path in [
      "", "//", "/api/v3", "/api/v3/", "/api/v3/datasets//", "/api/v3/datasets//FDX", "/api/v3/datasets/WIKI/.csv",
      "/healthz.json", "/healthz/", "/api/v1/scan.csv", "/api/v1/scan/",
      "/api/v3/datasets/WIKI/" + String(repeating: "A", count: 2000),
    ] { #expect(name(path) == nil, "\(path.prefix(100))") }
  }

  /// So their answers are counted together.
  @Test func other_spellings_of_a_path_have_the_same_route() {
    for (path, route) in [
      ("/api/v3/datasets/WIKI/FDX/data.json", "datasetData"), ("/api/v3/datasets/WIKI/FDX.csv", "dataset"),
      ("/api/v3/datasets/WIKI/FDX.xml", "dataset"), ("/api/v3/datatables/WIKI/PRICES.json", "datatable"),
      ("/api/v3/datasets/WIKI/FDX/data/", "datasetData"), ("/api/v3/databases/WIKI/data/", "databaseData"),
    ] { #expect(name(path) == route, "\(path)") }
  }

  /// A route that is written down but isn't in the list would be neither described nor answered.
  @Test func every_path_in_the_sources_is_that_of_a_route() throws {
    var known = Set(ServerRoutes.ofPrograms.map(\.pattern.description))
    known.insert(QuandlService.pathPrefix)
    var found: Set<String> = []
    for module in ["QuandlService", "QuoinServer"] {
      for file in try Self.sources(of: module) {
        for line in try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n") {
          guard !line.drop(while: { $0 == " " }).hasPrefix("//") else { continue }
          for path in line.matches(of: /"(\/(?:api\/|healthz|readyz|livez|metrics|openapi|store\/)[^" ]*)"/).map({
            String($0.output.1)
          }) {
            #expect(known.contains(path), "\(file): \(path)")
            found.insert(path)
          }
        }
      }
    }
    #expect(found == known)
  }

  private static func sources(of module: String) throws -> [String] {
    let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/Sources/" + module
    return try FileManager.default.subpathsOfDirectory(atPath: root).filter { $0.hasSuffix(".swift") }
      .map { root + "/" + $0 }
  }
}
