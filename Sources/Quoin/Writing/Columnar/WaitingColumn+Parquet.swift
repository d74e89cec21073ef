extension WaitingColumn {
  /// A data page of version 1: which rows have a value, then the values that are there, one after another (PLAIN).
  var parquetPage: [UInt8] {
    var levels: [UInt8] = []
    if missing.isEmpty {
      // All rows in one run.
      levels.append(number: UInt64(count) << 1)
      levels.append(1)
    } else {
      let bitmap = bitmap
      levels.append(number: UInt64(bitmap.count) << 1 | 1)
      levels += bitmap
    }
    var page: [UInt8] = []
    page.append(littleEndian: UInt32(levels.count))
    page += levels
    switch kind {
    case .text: appendTexts(to: &page)
    case .day: page.append(littleEndian: present(days))
    case .double: page.append(littleEndian: present(doubles).map(\.bitPattern))
    case .integer: page.append(littleEndian: present(integers))
    }
    return page
  }

  private func appendTexts(to page: inout [UInt8]) {
    var (start, next) = (0, 0)
    for row in ends.indices {
      let end = Int(ends[row])
      if next < missing.count, missing[next] == row {
        next += 1
      } else {
        page.append(littleEndian: UInt32(end - start))
        page += letters[start..<end]
      }
      start = end
    }
  }

  private func present<Value>(_ values: [Value]) -> [Value] {
    if missing.isEmpty { return values }
    var (present, start): ([Value], Int) = ([], 0)
    present.reserveCapacity(values.count - missing.count)
    for row in missing {
      present += values[start..<row]
      start = row + 1
    }
    return present + values[start...]
  }

  /// What is known of the values without reading them; a reader leaves out whole groups of rows by it.
  var parquetStatistics: ThriftStruct {
    var statistics = ThriftStruct()
    statistics.set(3, Int64(missing.count))
    if let (low, high) = extremes {
      statistics.set(5, binary: high)
      statistics.set(6, binary: low)
    }
    return statistics
  }

  /// The bytes of the smallest and of the largest value; nil if there are none.
  private var extremes: (low: [UInt8], high: [UInt8])? {
    func bytes<Value: FixedWidthInteger & BitwiseCopyable>(_ value: Value) -> [UInt8] {
      var bytes: [UInt8] = []
      bytes.append(littleEndian: value)
      return bytes
    }
    switch kind {
    case .text:
      var (low, high, start, next): (ArraySlice<UInt8>?, ArraySlice<UInt8>?, Int, Int) = (nil, nil, 0, 0)
      for row in ends.indices {
        let text = letters[start..<Int(ends[row])]
        start = Int(ends[row])
        if next < missing.count, missing[next] == row {
          next += 1
          continue
        }
        // Most rows have the text of the row before.
        if text == high { continue }
        if low.map({ text.lexicographicallyPrecedes($0) }) ?? true { low = text }
        if high.map({ $0.lexicographicallyPrecedes(text) }) ?? true { high = text }
      }
      guard let low, let high else { return nil }
      return (Array(low), Array(high))
    case .day:
      let days = present(days)
      guard let low = days.min(), let high = days.max() else { return nil }
      return (bytes(low), bytes(high))
    case .integer:
      let integers = present(integers)
      guard let low = integers.min(), let high = integers.max() else { return nil }
      return (bytes(low), bytes(high))
    case .double:
      let doubles = present(doubles)
      guard let low = doubles.min(), let high = doubles.max() else { return nil }
      // Both zeros are in a range that has one of them.
      return (bytes((low == 0 ? -0.0 : low).bitPattern), bytes((high == 0 ? 0.0 : high).bitPattern))
    }
  }
}

extension WaitingColumn.Kind {
  /// The number of the physical type: INT32, INT64, DOUBLE or BYTE_ARRAY.
  var parquetType: Int32 {
    switch self {
    case .day: 1
    case .integer: 2
    case .double: 5
    case .text: 6
    }
  }

  /// The element of a schema, without its name: the type, and what its values mean.
  func parquetElement(_ name: String) -> ThriftStruct {
    var (element, meaning) = (ThriftStruct(), ThriftStruct())
    element.set(1, parquetType)
    element.set(3, Int32(1))
    element.set(4, name)
    switch self {
    case .text:
      element.set(6, Int32(0))
      meaning.set(1, ThriftStruct())
      element.set(10, meaning)
    case .day:
      element.set(6, Int32(6))
      meaning.set(6, ThriftStruct())
      element.set(10, meaning)
    case .double, .integer: break
    }
    return element
  }
}
