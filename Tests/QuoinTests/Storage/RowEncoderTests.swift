import Testing

@testable import Quoin

struct RowEncoderTests {
  /// A row has a way of its own; two of them, of which the same is said, go by plans.
  @Test func a_block_of_one_row_is_what_plans_make_of_it() {
    let encoder = BlockEncoder()
    for (index, price) in NastyValues.doubles.enumerated() {
      let other = NastyValues.doubles[(index * 7 + 3) % NastyValues.doubles.count]
      let volume = NastyValues.integers[index % NastyValues.integers.count]
      var columns = QuoteColumns()
      columns.dayValues = ColumnBuffer(["1970-01-01", NastyValues.days[index % NastyValues.days.count]])
      for name in Attribute.allCases {
        if columns[column: name].isDouble {
          columns[column: name] = .doubles(ColumnBuffer([1, name.rawValue % 2 == 0 ? price : other]))
        } else {
          columns[column: name] = .integers(ColumnBuffer([1, volume]))
        }
      }
      var encoded = EncodedRows()
      RowEncoder(EncodingChoice()).encode(columns, rows: 1..<2, to: &encoded)
      let day = ColumnBuffer([Int64(columns.dayValues[1].daysSince1970)])
      expect(encoded.sections[ColumnSection.date.index], encoder.encode(day, rows: 0..<1, areDays: true))
      var ratioColumns: [Attribute: RatioColumn] = [:]
      for name in Attribute.allCases {
        let blocks = encoded.sections[ColumnSection.attribute(name).index]
        switch columns[column: name] {
        case .doubles(let values):
          let value = ColumnBuffer([values[1].canonical])
          expect(blocks, encoder.encode(value, rows: 0..<1))
          ratioColumns[name] = RatioColumn(value)
        case .integers(let values): expect(blocks, encoder.encode(ColumnBuffer([values[1]]), rows: 0..<1))
        }
      }
      for (place, ratio) in BlockRatio.all.enumerated() {
        var bytes: [UInt8] = []
        ratio.extremes { ratioColumns[$0] }.append(to: &bytes, of: ratio)
        #expect(encoded.ratios[place] == bytes, "\(ratio.name) of \(price) and \(other)")
      }
    }
  }

  private func expect<Value: BlockValue>(
    _ blocks: EncodedBlocks, _ image: BlockImage<Value>, _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(blocks.bytes == image.bytes, sourceLocation: location)
    let expected = BlockEntry(image)
    guard blocks.entries.count == 1, let entry = blocks.entries.first else {
      Issue.record("\(blocks.entries.count) entries", sourceLocation: location)
      return
    }
    #expect(
      entry.byteCount == expected.byteCount && entry.checksum == expected.checksum && entry.minimum == expected.minimum
        && entry.maximum == expected.maximum && entry.missingCount == expected.missingCount
        && entry.sum == expected.sum, "\(entry) \(expected)", sourceLocation: location)
  }

  /// A writer that may not use constant blocks makes none.
  @Test func a_row_is_no_constant_block_where_there_may_be_none() {
    var columns = QuoteColumns()
    columns.dayValues = ColumnBuffer(["2018-03-27"])
    for name in Attribute.allCases {
      columns[column: name] =
        columns[column: name].isDouble ? .doubles(ColumnBuffer([1.5])) : .integers(ColumnBuffer([100]))
    }
    var encoded = EncodedRows()
    RowEncoder(EncodingChoice(encodings: [.plain])).encode(columns, rows: 0..<1, to: &encoded)
    for section in encoded.sections { #expect(section.bytes.first == BlockEncoding.plain.rawValue) }
  }
}
