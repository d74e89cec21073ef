import Dispatch
import Testing

@testable import Quoin

@Suite struct ColumnBufferTests {
  private static let counts = [0, 1, 63, 64, 1023, 1025, 70_000]

  private static func values(_ count: Int) -> [Int64] { (0..<count).map { Int64($0) * 7 - 3 } }

  /// The same values in an array of a program's own and in pooled memory.
  private static func buffers(_ count: Int) -> [ColumnBuffer<Int64>] {
    let values = values(count)
    var pooled = ColumnBuffer<Int64>()
    for value in values { pooled.append(value) }
    return [ColumnBuffer(values), pooled]
  }

  private static func address<Value>(_ buffer: ColumnBuffer<Value>) -> Int {
    unsafe buffer.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) }
  }

  @Test(arguments: counts) func a_buffer_is_a_collection_like_an_array(count: Int) {
    let values = Self.values(count)
    for buffer in Self.buffers(count) {
      #expect(
        buffer.count == count && Array(buffer) == values && buffer.array == values && buffer == ColumnBuffer(values))
      #expect(buffer.first == values.first && buffer.last == values.last)
      #expect(buffer.withSpan { $0.count } == count)
      #expect(buffer.indices.allSatisfy { buffer[$0] == values[$0] })
    }
  }

  @Test(arguments: counts) func every_operation_gives_what_an_array_gives(count: Int) {
    let values = Self.values(count)
    let (middle, places) = (count / 3..<(count - count / 4), (0..<count).reversed().filter { $0 % 3 != 1 })
    for buffer in Self.buffers(count) {
      #expect(buffer.sliced(middle).array == Array(values[middle]))
      #expect(buffer.sliced(0..<0).isEmpty)
      #expect(buffer.gathered(places).array == places.map { values[$0] })
      var changed = buffer
      changed.reverse()
      #expect(changed.array == values.reversed())
      changed.append(contentsOf: buffer)
      changed.append(contentsOf: buffer, rows: middle)
      changed.append(11)
      var expected = Array(values.reversed())
      expected += values
      expected += values[middle]
      expected.append(11)
      #expect(changed.array == expected)
      changed[changed.count - 1] = 12
      #expect(changed.array.last == 12)
      changed.append(contentsOf: changed)
      #expect(changed.count == 2 * (2 * count + middle.count + 1) && changed.last == 12)
      changed.reserveCapacity(count * 5 + 100)
      #expect(changed[count * 2 + middle.count] == 12)
      changed.removeAll(keepingCapacity: true)
      changed.append(1)
      #expect(changed.array == [1])
      changed.removeAll(keepingCapacity: false)
      #expect(changed.isEmpty && buffer.array == values, "the original is as it was")
    }
  }

  @Test(arguments: counts) func memory_is_aligned_for_arrow(count: Int) {
    for buffer in Self.buffers(count) {
      let memory = buffer.shared
      #expect(unsafe Int(bitPattern: memory.base) % 64 == 0 && Array(memory.values) == Self.values(count))
    }
    #expect(unsafe Int(bitPattern: ColumnBuffer(repeating: RowMask.none, count: count).shared.base) % 128 == 0)
  }

  @Test func copies_share_memory_until_one_changes() {
    var a = ColumnBuffer(repeating: 1.5, count: 1025)
    let b = a
    #expect(Self.address(a) == Self.address(b))
    a[3] = 2
    #expect(Self.address(a) != Self.address(b) && a[3] == 2 && b[3] == 1.5 && a.count == 1025)
    let own = Self.address(a)
    a[4] = 2
    a.append(7)
    #expect(Self.address(a) == own, "nobody else has this memory, and there is room for one more")
  }

  @Test func an_array_is_made_once_and_never_stale() {
    var buffer = ColumnBuffer(repeating: 1.5, count: 1025)
    let (first, second) = (buffer.array, buffer.array)
    #expect(unsafe first.withUnsafeBufferPointer(\.baseAddress) == second.withUnsafeBufferPointer(\.baseAddress))
    buffer[0] = 2
    #expect(buffer.array[0] == 2 && first[0] == 1.5)
    buffer.append(3)
    #expect(buffer.array.count == 1026)
    buffer.reverse()
    #expect(buffer.array[0] == 3)
    unsafe buffer.append(count: 1) { unsafe $0[0] = 4 }
    #expect(buffer.array.last == 4)
    buffer.removeAll(keepingCapacity: true)
    #expect(buffer.array.isEmpty)
  }

  @Test func an_array_that_is_changed_in_place_is_copied_once() {
    var buffer = ColumnBuffer(repeating: 1.5, count: 1025)
    buffer.array[0] = 2
    let place = Self.address(buffer)
    for row in 0..<1025 { buffer.array[row] = Double(row) }
    #expect(Self.address(buffer) == place && buffer[1024] == 1024)
  }

  @Test(arguments: 1...3) func few_values_and_many_are_the_same_column(step: Int) {
    var (buffer, values) = (ColumnBuffer<Int64>(), [Int64]())
    while values.count < 100 {
      let (before, copy, next) = (values, buffer, (0..<step).map { Int64(values.count + $0) })
      switch values.count % 3 {
      case 0: for value in next { buffer.append(value) }
      case 1: buffer.append(contentsOf: ColumnBuffer(next))
      default: unsafe buffer.append(count: step) { unsafe _ = $0.update(fromContentsOf: next) }
      }
      buffer[0] += 1
      values += next
      values[0] += 1
      #expect(buffer.array == values && copy.array == before)
    }
  }

  @Test func what_fails_to_be_appended_is_not_there() {
    struct Failure: Error {}
    var few: ColumnBuffer<Int64> = [1, 2]
    #expect(throws: Failure.self) { unsafe try few.append(count: 1) { _ throws(Failure) in throw Failure() } }
    #expect(few.array == [1, 2])
    var buffer: ColumnBuffer<Int64> = [1, 2]
    #expect(throws: Failure.self) {
      unsafe try buffer.append(count: 100_000) { values throws(Failure) in
        unsafe values[0] = 3
        throw Failure()
      }
    }
    #expect(buffer.array == [1, 2])
  }

  @Test func rows_out_of_bounds_trap() async {
    await #expect(processExitsWith: .failure) {
      let buffer = ColumnBuffer<Int64>(repeating: 1, count: 64)
      _ = buffer[blackHole(64)]
    }
    await #expect(processExitsWith: .failure) { _ = ColumnBuffer<Int64>(repeating: 1, count: 64).gathered([-1]) }
    await #expect(processExitsWith: .failure) { _ = ColumnBuffer<Int64>(repeating: 1, count: 64).sliced(60..<65) }
    await #expect(processExitsWith: .failure) {
      var buffer = ColumnBuffer<Int64>(repeating: 1, count: 64)
      buffer[blackHole(-1)] = 0
    }
  }

  @Test func threads_read_one_buffer_and_change_their_own() {
    let shared = ColumnBuffer(Self.values(5000)).sliced(0..<5000)
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for round in 0..<50 {
        var own = shared
        own[round] = Int64(thread)
        own.append(-1)
        precondition(own[round] == thread && own.array.count == 5001 && shared.array == Self.values(5000))
      }
    }
  }
}

/// A number that the compiler can't see through.
@inline(never) private func blackHole(_ number: Int) -> Int { number }
