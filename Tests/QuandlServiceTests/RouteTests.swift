import Quoin
import Testing

@testable import QuandlService

/// The list of routes, held against the answers.
@Suite struct RouteTests {
  private static let service = try! TestService.fedEx().unlinked
  private static let values = ["database": "WIKI", "dataset": "FDX", "vendor": "WIKI", "table": "PRICES"]

  private func path(_ route: Route<ServiceHandler>) -> String {
    Self.values.reduce(route.pattern.description) { $0.replacing("{\($1.key)}", with: $1.value) }
  }

  private func answer(_ path: String, _ query: [(name: String, value: String)] = []) -> ReadAnswer {
    Self.service.answer(to: ServiceRequest(path: path, query: query))
  }

  @Test func every_route_is_answered_in_the_forms_that_it_describes() {
    for route in QuandlService.routes {
      let plain = answer(path(route))
      #expect(plain.status == 200 && plain.headers["content-type"] == route.mediaTypes[0].rawValue, "\(route.name)")
      for (form, type) in [("json", MediaType.json), ("csv", .csv)] where !route.mediaTypes.contains(.zip) {
        let answer = answer(path(route) + "." + form)
        #expect(answer.status == (route.mediaTypes.contains(type) ? 200 : 406), "\(route.name).\(form)")
      }
    }
  }

  @Test func every_route_is_asked_by_the_methods_that_it_describes() {
    for route in QuandlService.routes {
      let answer = Self.service.answer(to: ServiceRequest(.post, path: path(route), body: Array("{}".utf8)))
      #expect(answer.status == (route.methods.contains(.post) ? 200 : 400), "\(route.name)")
    }
  }

  /// A value that no parameter can have brings another answer, or it wasn't read.
  @Test func every_described_parameter_is_read() {
    for route in QuandlService.routes {
      #expect(Set(route.parameters.map(\.name)).count == route.parameters.count)
      let plain = answer(path(route))
      for name in route.parameters.flatMap(\.names) {
        let asked = answer(path(route), [(name, "no-such-value")])
        #expect(asked.status != 200 || asked.bytes != plain.bytes, "\(route.name): \(name)")
      }
    }
  }

  @Test func described_defaults_change_nothing() {
    for route in QuandlService.routes {
      // In JSON, a dataset repeats what was asked for.
      let path = path(route) + (route.mediaTypes.contains(.csv) ? ".csv" : "")
      for parameter in route.parameters {
        guard let value = parameter.defaultValue else { continue }
        #expect(answer(path, [(parameter.name, value)]).bytes == answer(path).bytes, "\(route.name): \(parameter.name)")
      }
    }
  }

  @Test func described_words_are_taken_and_numbers_below_the_least_are_not() {
    for route in QuandlService.routes {
      for parameter in route.parameters {
        switch parameter.values {
        case .words(let words):
          for word in words { #expect(answer(path(route), [(parameter.name, word)]).status == 200, "\(word)") }
        case .number(let least?):
          #expect(answer(path(route), [(parameter.name, "\(least)")]).status == 200, "\(parameter.name)")
          #expect(answer(path(route), [(parameter.name, "\(least - 1)")]).status == 422, "\(parameter.name)")
        case .number(nil), .day, .text: break
        }
      }
    }
  }

  @Test func a_pattern_makes_paths_and_finds_the_values_in_them() {
    let pattern: PathPattern = "/api/v3/datasets/{database}/{dataset}/data"
    let path = RequestPath(pattern.path("WIKI", "FDX") + ".csv/")
    #expect(pattern.variables == ["database", "dataset"] && pattern.matches(path))
    #expect(pattern.value(of: "dataset", in: path) == "FDX" && pattern.value(of: "table", in: path) == nil)
    #expect(path.text == "/api/v3/datasets/WIKI/FDX/data.csv/" && path.form == .csv)
  }

  @Test func the_older_api_finds_datasets() {
    let new = Self.service.get("datasets/WIKI/FDX/data.csv?start_date=2005-01-01&end_date=2005-03-01&order=asc")
    let query = [
      ("trim_start", "2005-01-01"), ("trim_end", "2005-03-01"), ("sort_order", "asc"), ("transformation", "none"),
      ("collapse", "none"), ("auth_token", "k"),
    ]
    #expect(new.lines.count > 30)
    for path in ["/api/v1/datasets/WIKI/FDX.csv", "/api/v1/datasets/WIKI/FDX/data.csv/"] {
      #expect(answer(path, query).bytes == new.bytes, "\(path)")
    }
    #expect(answer("/api/v1/datasets.json", []).bytes == Self.service.get("datasets").bytes)
    for path in ["/api/v1/datatables/WIKI/PRICES", "/api/v1/scan", "/api/v1/datasets/WIKI/FDX/x", "/api/v1/datasetsx"] {
      #expect(answer(path, []).errorCode == "QECx01", "\(path)")
    }
  }

  @Test func a_misspelled_old_name_is_refused_too() {
    let answer = Self.service.get("datasets/WIKI/FDX/data?trim_strat=2001-01-01")
    #expect(answer.errorMessage == "There is no parameter 'trim_strat'; did you mean trim_start?")
  }
}
