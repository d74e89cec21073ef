import Testing

@testable import Quoin

@Suite struct ColumnTests {
  @Test func a_column_is_of_its_attributes_kind() {
    for name in Attribute.allCases {
      let column = Column(missing: 3, of: name)
      #expect(column.count == 3 && Column(of: name).count == 0)
      if case .integers(let values) = column {
        #expect(name.isInteger && values.array == [.min, .min, .min])
      } else {
        #expect(!name.isInteger && column.doubles.allSatisfy(\.isNaN))
      }
    }
  }

  @Test(arguments: [0, 1, 63, 64, 1023, 1025]) func both_kinds_do_the_same(count: Int) {
    let numbers = (0..<count).map { Int64($0) }
    let rows = count / 2..<count
    let columns: [Column] = [.integers(ColumnBuffer(numbers)), .doubles(ColumnBuffer(numbers.map(Double.init)))]
    for column in columns {
      func bits(_ column: Column) -> [Int64] {
        switch column {
        case .doubles(let values): values.map { Int64($0) }
        case .integers(let values): values.array
        }
      }
      var changed = column
      changed.reverse()
      changed.append(contentsOf: column, rows: rows)
      #expect(bits(changed) == numbers.reversed() + numbers[rows])
      #expect(bits(column.gathered(Array(rows.reversed()))) == numbers[rows].reversed())
      #expect(column.commonCount(with: column, from: 0, limit: count) == count)
      #expect(column.commonCount(with: column, from: min(1, count), limit: max(0, count - 1)) == 0)
      changed.removeAll(keepingCapacity: true)
      #expect(changed.count == 0)
    }
  }

  @Test func all_nans_are_one_value_and_zeros_are_two() {
    let a = Column.doubles([.nan, 0, 1])
    let b = Column.doubles([-.nan, 0, 1])
    let c = Column.doubles([.nan, -0.0, 1])
    #expect(a.commonCount(with: b, from: 0, limit: 3) == 3)
    #expect(a.commonCount(with: c, from: 0, limit: 3) == 1)
    #expect(a.bits(0) == b.bits(0) && a.bits(1) != c.bits(1))
  }

  @Test func a_column_changes_in_place() {
    var column = Column.doubles(ColumnBuffer(repeating: 1, count: 1025))
    func base(_ column: Column) -> Int {
      unsafe column.doubles.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) }
    }
    let place = base(column)
    column.doubles[0] = 2
    column.reverse()
    #expect(base(column) == place && column.doubles.last == 2)
  }
}
