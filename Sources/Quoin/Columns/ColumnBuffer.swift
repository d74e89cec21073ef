/// The values of a column: an array whose memory comes from a pool, on a multiple of 64 bytes.
///
/// A value type: copies share memory until one of them changes. Values that a program sets as a Swift array stay in that
/// array until the buffer has to change or its memory is asked for. Values that are appended stay in an array as long as
/// they are few: thousands of tickers may come with a row each.
///
/// Sound: pointers come from `ColumnMemory`, which is held meanwhile; it is changed only when it is held once, and never
/// beyond its capacity.
package struct ColumnBuffer<Value: BitwiseCopyable & Sendable>: Sendable {
  /// Nil when the values are in `array`.
  private var memory: ColumnMemory<Value>?
  /// Empty when the values are in `memory`.
  private var values: [Value] = []

  /// Up to this count, appended values are in an array.
  private static var smallCount: Int { 32 }

  package init() {}

  package init(_ values: [Value]) { self.values = values }

  package init(repeating value: Value, count: Int) {
    unsafe self.init(uninitializedCount: count) { unsafe $0.update(repeating: value) }
  }

  /// Values that `fill` writes, all `count` of them.
  init<Failure>(
    uninitializedCount count: Int, _ fill: (UnsafeMutableBufferPointer<Value>) throws(Failure) -> Void
  ) throws(Failure) {
    let memory = ColumnMemory<Value>(capacity: count, count: count)
    unsafe try fill(memory.values)
    self.init(memory)
  }

  /// The values of this memory, to which there must be no other reference that changes them.
  init(_ memory: ColumnMemory<Value>) { self.memory = memory }

  package var count: Int { memory?.count ?? values.count }

  /// Calls `body` with the values in place.
  @inline(__always)
  package func withUnsafeBufferPointer<Result, Failure>(
    _ body: (UnsafeBufferPointer<Value>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let memory else { return unsafe try values.withUnsafeBufferPointer(body) }
    defer { withExtendedLifetime(memory) {} }
    return unsafe try body(UnsafeBufferPointer(memory.values))
  }

  /// Calls `body` with the values in place.
  @inline(__always)
  package func withSpan<Result, Failure>(_ body: (Span<Value>) throws(Failure) -> Result) throws(Failure) -> Result {
    unsafe try withUnsafeBufferPointer { values throws(Failure) in unsafe try body(values.span) }
  }

  /// The values as a Swift array. Complexity: O(count) the first time, then O(1); to change it is O(count) once, and then
  /// as with any array.
  package var array: [Value] {
    get { memory?.asArray ?? values }
    _modify {
      var array = array
      self = ColumnBuffer()
      defer { self = ColumnBuffer(array) }
      yield &array
    }
  }

  /// The values `rows` as a Swift array.
  package func array(_ rows: Range<Int>) -> [Value] { unsafe withUnsafeBufferPointer { unsafe Array($0[rows]) } }

  /// The values in pooled memory, for a reader that keeps a pointer to them as long as it keeps the memory.
  var shared: ColumnMemory<Value> {
    if let memory { return memory }
    let memory = ColumnMemory<Value>(capacity: values.count, count: values.count)
    unsafe _ = memory.values.update(fromContentsOf: values)
    return memory
  }

  /// Whether `count` values are few enough to stay in the array.
  @inline(__always)
  private func areFew(_ count: Int) -> Bool { memory == nil && count <= Self.smallCount }

  /// Makes sure that the values are in memory with room for `capacity` of them, to which this is the only reference.
  @inline(__always)
  private mutating func own(_ capacity: Int) {
    // Sound: only an object is referenced once.
    if isKnownUniquelyReferenced(&memory), owned.capacity >= capacity {
      owned.willChange()
    } else {
      moveToFreshMemory(capacity)
    }
  }

  /// The memory, after `own`. It is used in place: a reference more or less, which is counted atomically, would wait until
  /// the values that were written last have left the processor.
  @inline(__always)
  private var owned: ColumnMemory<Value> { unsafe memory.unsafelyUnwrapped }

  private mutating func moveToFreshMemory(_ capacity: Int) {
    let isTooSmall = (memory?.capacity ?? 0) < capacity
    let room = isTooSmall && count > 0 ? Swift.max(capacity, count * 2) : capacity
    let fresh = ColumnMemory<Value>(capacity: room, count: count)
    unsafe withUnsafeBufferPointer { unsafe _ = fresh.values.update(fromContentsOf: $0) }
    self = ColumnBuffer(fresh)
  }
}

extension ColumnBuffer {
  package mutating func reserveCapacity(_ capacity: Int) {
    if areFew(capacity) { return values.reserveCapacity(capacity) }
    own(Swift.max(capacity, count))
  }

  package mutating func removeAll(keepingCapacity: Bool = false) {
    if keepingCapacity, isKnownUniquelyReferenced(&memory), let memory {
      memory.willChange()
      memory.count = 0
    } else {
      self = ColumnBuffer()
    }
  }

  package mutating func append(_ value: Value) {
    if areFew(count + 1) { return values.append(value) }
    own(count + 1)
    unsafe owned.base[owned.count] = value
    owned.count += 1
  }

  /// Appends `count` values that `fill` writes, all of them. When it throws, nothing is appended.
  mutating func append<Failure>(
    count: Int, _ fill: (UnsafeMutableBufferPointer<Value>) throws(Failure) -> Void
  ) throws(Failure) {
    if areFew(self.count + count) { return unsafe try appendToArray(count, fill) }
    own(self.count + count)
    unsafe try fill(UnsafeMutableBufferPointer(start: owned.base + owned.count, count: count))
    owned.count += count
  }

  private mutating func appendToArray<Failure>(
    _ count: Int, _ fill: (UnsafeMutableBufferPointer<Value>) throws(Failure) -> Void
  ) throws(Failure) {
    unsafe try withUnsafeTemporaryAllocation(of: Value.self, capacity: count) { room throws(Failure) in
      unsafe try fill(room)
      unsafe values.append(contentsOf: room)
    }
  }

  mutating func append(contentsOf values: UnsafeBufferPointer<Value>) {
    if areFew(count + values.count) { return unsafe self.values.append(contentsOf: values) }
    unsafe append(count: values.count) { unsafe _ = $0.update(fromContentsOf: values) }
  }

  /// Appends values: at once if they lie in memory one after the other.
  package mutating func append(contentsOf others: some Sequence<Value>) {
    let isDone: Void? = others.withContiguousStorageIfAvailable { unsafe append(contentsOf: $0) }
    guard isDone == nil else { return }
    own(count + others.underestimatedCount)
    var iterator = others.makeIterator()
    while owned.count < owned.capacity, let value = iterator.next() {
      unsafe owned.base[owned.count] = value
      owned.count += 1
    }
    while let value = iterator.next() { append(value) }
  }

  /// Appends the values `rows` of `others`.
  mutating func append(contentsOf others: ColumnBuffer, rows: Range<Int>) {
    guard !rows.isEmpty else { return }
    unsafe others.withUnsafeBufferPointer { unsafe append(contentsOf: UnsafeBufferPointer(rebasing: $0[rows])) }
  }

  /// The values at these places, in this order.
  func gathered(_ rows: [Int]) -> ColumnBuffer {
    unsafe withUnsafeBufferPointer { values in
      unsafe ColumnBuffer(uninitializedCount: rows.count) { gathered in
        for (index, row) in rows.enumerated() {
          precondition(row >= 0 && row < values.count, "row \(row) of \(values.count)")
          unsafe gathered[index] = unsafe values[row]
        }
      }
    }
  }

  /// The values `rows` alone.
  func sliced(_ rows: Range<Int>) -> ColumnBuffer {
    var slice = ColumnBuffer()
    slice.append(contentsOf: self, rows: rows)
    return slice
  }

  mutating func reverse() {
    own(count)
    var values = unsafe owned.values
    unsafe values.reverse()
  }
}

extension ColumnBuffer: RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
  package var startIndex: Int { 0 }
  package var endIndex: Int { count }

  /// Complexity: O(1). To set is O(count) where the memory is shared.
  package subscript(row: Int) -> Value {
    get {
      guard let memory else { return values[row] }
      return memory[row]
    }
    // Not `_modify`: each use of it that isn't inlined would allocate its frame.
    set {
      if areFew(count) {
        values[row] = newValue
      } else {
        own(count)
        precondition(row >= 0 && row < count, "row \(row) of \(count)")
        unsafe owned.base[row] = newValue
      }
    }
  }

  /// Complexity: O(count).
  package mutating func replaceSubrange(_ rows: Range<Int>, with others: some Collection<Value>) {
    array.replaceSubrange(rows, with: others)
  }

  package func withContiguousStorageIfAvailable<Result>(
    _ body: (UnsafeBufferPointer<Value>) throws -> Result
  ) rethrows -> Result? {
    unsafe try withUnsafeBufferPointer(body)
  }
}

extension ColumnBuffer: ExpressibleByArrayLiteral {
  package init(arrayLiteral values: Value...) { self.init(values) }
}

extension ColumnBuffer: Equatable where Value: Equatable {
  package static func == (a: ColumnBuffer, b: ColumnBuffer) -> Bool { a.elementsEqual(b) }
}

extension ColumnBuffer<Double> {
  /// The same numbers as int64; nil unless each is whole, smaller than 2^63 and not -0, or missing.
  var wholeNumbers: ColumnBuffer<Int64>? {
    var areWhole = true
    let numbers = unsafe withUnsafeBufferPointer { values in
      unsafe ColumnBuffer<Int64>(uninitializedCount: values.count) { numbers in
        for row in values.indices {
          // Sound: as many numbers as values.
          let value = unsafe values[row]
          let number = value.magnitude < 0x1p63 ? Int64(value) : .missing  // missing for NaN
          let isWhole = !number.isMissing && Double(number).bitPattern == value.bitPattern
          areWhole = areWhole && (isWhole || value.isMissing)
          unsafe numbers[row] = number
        }
      }
    }
    return areWhole ? numbers : nil
  }
}
