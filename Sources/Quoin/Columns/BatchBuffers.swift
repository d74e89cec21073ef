/// The arrays of a batch in the making: memory for its rows, to be written in any order and by several threads.
@safe
struct BatchBuffers: @unchecked Sendable {
  // Sound to share: threads write different rows.
  var tickers: UnsafeMutableBufferPointer<TickerSymbol>
  var days: UnsafeMutableBufferPointer<TradingDay>
  /// By `AttributeName.slot`; empty where the attribute is not wanted.
  var doubles: [UnsafeMutableBufferPointer<Double>]
  var integers: [UnsafeMutableBufferPointer<Int64>]
  let attributes: [AttributeName]

  fileprivate init(_ attributes: AttributeSet) {
    unsafe tickers = UnsafeMutableBufferPointer(start: nil, count: 0)
    unsafe days = UnsafeMutableBufferPointer(start: nil, count: 0)
    unsafe doubles = Array(
      repeating: UnsafeMutableBufferPointer(start: nil, count: 0), count: AttributeName.doubleCount)
    unsafe integers = Array(
      repeating: UnsafeMutableBufferPointer(start: nil, count: 0), count: AttributeName.integerCount)
    self.attributes = attributes.names
  }

  /// Turns round the order of some rows' days and values.
  func reverse(_ rows: Range<Int>) {
    // Sound: slices of buffers, whose bounds are those of the batch that the rows were written to.
    unsafe days[rows].reverse()
    for name in attributes {
      if name.isInteger {
        unsafe integers[name.slot][rows].reverse()
      } else {
        unsafe doubles[name.slot][rows].reverse()
      }
    }
  }
}

extension QuoteBatch {
  /// A batch of `rowCount` rows, every one of which `fill` writes in every one of the arrays.
  init<Failure>(
    rowCount: Int, attributes: AttributeSet, _ fill: (BatchBuffers) throws(Failure) -> Void
  ) throws(Failure) {
    var (batch, buffers) = (QuoteBatch(attributes: attributes), BatchBuffers(attributes))
    var outcome: Result<Void, Failure> = .success(())
    // The arrays' memory is only there inside closures, one in another.
    func prepare(_ names: ArraySlice<AttributeName>) {
      guard let name = names.first else {
        outcome = Result { () throws(Failure) in try fill(buffers) }
        return
      }
      if name.isInteger {
        batch.columns.integers[name.slot] = unsafe Array(unsafeUninitializedCapacity: rowCount) { buffer, count in
          unsafe buffers.integers[name.slot] = UnsafeMutableBufferPointer(rebasing: buffer[..<rowCount])
          prepare(names.dropFirst())
          count = rowCount
        }
      } else {
        batch.columns.doubles[name.slot] = unsafe Array(unsafeUninitializedCapacity: rowCount) { buffer, count in
          unsafe buffers.doubles[name.slot] = UnsafeMutableBufferPointer(rebasing: buffer[..<rowCount])
          prepare(names.dropFirst())
          count = rowCount
        }
      }
    }
    batch.tickers = unsafe Array(unsafeUninitializedCapacity: rowCount) { tickers, count in
      unsafe buffers.tickers = UnsafeMutableBufferPointer(rebasing: tickers[..<rowCount])
      batch.columns.days = unsafe Array(unsafeUninitializedCapacity: rowCount) { days, count in
        unsafe buffers.days = UnsafeMutableBufferPointer(rebasing: days[..<rowCount])
        prepare(buffers.attributes[...])
        count = rowCount
      }
      count = rowCount
    }
    // Sound even after a failure: numbers of any bits are numbers, and the batch is dropped.
    try outcome.get()
    self = batch
  }
}
