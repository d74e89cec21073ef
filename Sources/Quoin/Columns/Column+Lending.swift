// The memory of columns for readers that Swift doesn't know of, such as those of Arrow's C interface.
//
// Sound throughout: what more than one reference holds is never written (`ColumnBuffer`), and its address stays. Places of a
// ticker column are those of its symbols, so they have texts.

extension ColumnBuffer {
  /// The values in place, on a multiple of 64 bytes. They stay where and what they are as long as `owner` is held.
  package var lent: (address: UnsafeRawPointer, owner: any AnyObject & Sendable) {
    let memory = shared
    return unsafe (UnsafeRawPointer(memory.base), memory)
  }
}

extension Column {
  /// Which of the values `rows` are there: a bit for each, from the lowest one of the first byte on, and the number of those that
  /// aren't; nil if none is missing.
  package func validity(_ rows: Range<Int>) -> (bits: ColumnBuffer<UInt8>, missingCount: Int)? {
    switch self {
    case .doubles(let values): values.validity(rows)
    case .integers(let values): values.validity(rows)
    }
  }
}

extension ColumnBuffer where Value: AttributeValue {
  fileprivate func validity(_ rows: Range<Int>) -> (bits: ColumnBuffer<UInt8>, missingCount: Int)? {
    precondition(rows.lowerBound >= 0 && rows.upperBound <= count, "rows \(rows) of \(count)")
    return unsafe withUnsafeBufferPointer { all in
      let values = unsafe UnsafeBufferPointer(rebasing: all[rows])
      var missingCount = 0
      for row in 0..<rows.count { missingCount &+= unsafe values[row].isMissing ? 1 : 0 }
      if missingCount == 0 { return nil }
      let bits = unsafe ColumnBuffer<UInt8>(uninitializedCount: (rows.count + 7) / 8) { bytes in
        for byte in 0..<bytes.count {
          var bits: UInt8 = 0
          for bit in 0..<Swift.min(8, rows.count - byte * 8) {
            bits |= (unsafe values[byte * 8 + bit].isMissing ? 0 : 1) &<< UInt8(bit)
          }
          unsafe bytes[byte] = bits
        }
      }
      return (bits, missingCount)
    }
  }
}

/// Tickers as texts: their characters one after the other, and where each ticker's begin; at last, where they all end. Arrow calls
/// it utf8.
package struct TickerTexts: Sendable {
  package let offsets: ColumnBuffer<Int32>
  package let bytes: ColumnBuffer<UInt8>

  package init(_ symbols: [TickerSymbol]) { self.init(symbols.map(\.utf8)) }

  /// Any texts, of fewer than 2^31 bytes together.
  package init(_ texts: [some Sequence<UInt8>]) {
    var (offsets, bytes): (ColumnBuffer<Int32>, ColumnBuffer<UInt8>) = ([0], [])
    offsets.reserveCapacity(texts.count + 1)
    for text in texts {
      bytes.append(contentsOf: text)
      offsets.append(Int32(bytes.count))
    }
    (self.offsets, self.bytes) = (offsets, bytes)
  }

  /// The tickers of some rows of a column whose symbols `known` are the texts of. They must have fewer than 2^31 characters.
  package init(_ tickers: TickerColumn, _ rows: Range<Int>, _ known: TickerTexts) {
    precondition(known.offsets.count == tickers.symbols.count + 1, "the texts of other symbols")
    precondition(rows.lowerBound >= 0 && rows.upperBound <= tickers.count, "rows \(rows) of \(tickers.count)")
    let (starts, letters) = (known.offsets.shared, known.bytes.shared)
    (offsets, bytes) = unsafe tickers.places.withUnsafeBufferPointer { places in
      var byteCount = 0
      let offsets = unsafe ColumnBuffer<Int32>(uninitializedCount: rows.count + 1) { offsets in
        for (index, row) in rows.enumerated() {
          unsafe offsets[index] = Int32(byteCount)
          let place = unsafe Int(places[row])
          byteCount += unsafe Int(starts.base[place + 1] - starts.base[place])
        }
        unsafe offsets[rows.count] = Int32(byteCount)
      }
      let bytes = unsafe ColumnBuffer<UInt8>(uninitializedCount: byteCount) { bytes in
        var end = 0
        for row in rows {
          let place = unsafe Int(places[row])
          for index in unsafe starts.base[place]..<starts.base[place + 1] {
            unsafe bytes[end] = unsafe letters.base[Int(index)]
            end += 1
          }
        }
      }
      return (offsets, bytes)
    }
  }
}
