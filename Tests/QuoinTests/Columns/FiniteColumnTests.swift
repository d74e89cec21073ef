import Testing

@testable import Quoin

/// Whether a column has a value in each row is looked at several rows at a time.
@Suite struct FiniteColumnTests {
  @Test func one_value_that_is_no_number_is_found_wherever_it_is() {
    for count in 0...40 {
      var values = (0..<count).map { Double($0) * .leastNonzeroMagnitude }
      for row in stride(from: 0, to: count, by: 3) { values[row] = .greatestFiniteMagnitude }
      #expect(ColumnMemory(count: count) { values[$0] }.areFinite)
      for row in 0..<count {
        for other in [Double.nan, -.nan, .signalingNaN, .infinity, -.infinity] {
          let before = values[row]
          values[row] = other
          #expect(!ColumnMemory(count: count) { values[$0] }.areFinite, "\(other) in row \(row) of \(count)")
          values[row] = before
        }
      }
    }
  }
}
