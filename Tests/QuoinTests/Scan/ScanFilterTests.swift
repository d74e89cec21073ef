import Testing

@testable import Quoin

struct ScanFilterTests {
  private func normalized(_ text: String) throws -> NormalizedPredicate {
    try NormalizedPredicate(Predicate(parsing: text), hasFractions: false)
  }

  @Test func ranges_of_one_column_that_all_have_to_hold_are_one_condition() throws {
    for text in [
      "high >= 80 and high <= 83", "(high >= 80 and high is not missing) and (high < 90 and high <= 83)",
      "not (high < 80 or high > 83)", "high between 70 and 83 and high between 80 and 99",
    ] {
      let predicate = try normalized(text)
      #expect(predicate.filter == .leaf(0), "\(text)")
      #expect(predicate.conditions.count == 1 && predicate.parts.count == 1, "\(text)")
      guard case .double(.high, 80...83) = predicate.conditions[0] else {
        Issue.record("\(text): \(predicate.conditions)")
        continue
      }
    }
  }

  @Test func ranges_stay_apart_where_one_of_them_is_enough() throws {
    let predicate = try normalized(
      "(volume > 5 and volume < 9 or volume > 20) and volume < 30 and low > 1 and volume >= 2")
    #expect(predicate.filter == .all([.any([.leaf(0), .leaf(1)]), .leaf(2), .leaf(3)]))
    guard case .integer(.attribute(.volume), 6...8) = predicate.conditions[0],
      case .integer(.attribute(.volume), 2...29) = predicate.conditions[2]
    else {
      Issue.record("\(predicate.conditions)")
      return
    }
  }

  @Test func ranges_without_a_common_value_select_nothing() throws {
    for text in ["high > 3 and high < 3", "low > 1 and date > 2001-01-05 and date < 2001-01-05"] {
      let predicate = try normalized(text)
      #expect(predicate.filter == .nothing && predicate.conditions.isEmpty, "\(text)")
    }
    let predicate = try normalized("(high > 3 and high < 2) or low > 1")
    #expect(predicate.filter == .any([.nothing, .leaf(0)]) && predicate.conditions.count == 1)
  }
}
