/// A parallel map: items go in, results come out in the items' order.
///
/// The thread that owns the map, the consumer, puts items in and takes results out. Helpers of the crew do items
/// meanwhile, oldest first; while the consumer waits for a result, it does items too. At most `window` items are in the
/// map, done or not, so that memory stays bounded. In a crew of one, each item is done when its result is asked for.
///
///     var map = OrderedMap(crew, worker: Worker()) { worker, item in worker.result(of: item) }
///     while true {
///       while !map.isFull, let item = nextItem() { map.push(item) }
///       guard let result = try map.next() else { break }
///       take(result)
///     }
///
/// Results don't depend on the number of threads as long as items share nothing but the constants that `body` captures.
/// When the map is gone, no thread runs `body` any more.
struct OrderedMap<Worker, Item: Sendable, Output: Sendable, Failure: Error>: ~Copyable {
  typealias Body = @Sendable (inout Worker, Item) throws(Failure) -> Output

  /// How many items may be in the map.
  let window: Int
  private let makeWorker: @Sendable () -> Worker
  private let body: Body
  /// The consumer's own.
  private var worker: Worker?
  /// The waiting items, in a crew of one.
  private var items: [Item] = []
  private let shared: MapWork<Worker, Item, Output, Failure>?

  /// - Parameters:
  ///   - itemsPerThread: the window, for each thread; in a crew of one the window is one item.
  ///   - worker: what a thread needs to do items, such as working memory; made at most once for each thread.
  ///   - body: does one item.
  init(
    _ crew: Crew, itemsPerThread: Int = Crew.itemsPerThread, worker: @autoclosure @escaping @Sendable () -> Worker,
    _ body: @escaping Body
  ) {
    window = crew.threadCount == 1 ? 1 : itemsPerThread * crew.threadCount
    makeWorker = worker
    self.body = body
    shared = crew.helpers.map { MapWork($0, worker, body) }
  }

  deinit { shared?.cancel() }

  /// How many items are in the map.
  var count: Int { shared?.count ?? items.count }

  /// Whether a result has to be taken out before another item can go in.
  var isFull: Bool { count >= window }

  /// Puts an item in. Traps when the map is full.
  mutating func push(_ item: Item) {
    precondition(!isFull, "more than \(window) items in a map")
    if let shared { shared.push(item) } else { items.append(item) }
  }

  /// Takes the oldest item's result out; nil when no item is left.
  ///
  /// - Throws: the error of `body` for this item. Later items are dropped, those under way have ended, and the map takes no
  ///   more.
  mutating func next() throws(Failure) -> Output? {
    guard let shared else { return try items.isEmpty ? nil : perform(items.removeFirst()).get() }
    while true {
      switch shared.nextStep() {
      case .take(.success(let output)): return output
      case .take(.failure(let error)):
        shared.cancel()
        throw error
      case .perform(let number, let item): shared.finish(number, perform(item))
      case .wait(let finishedCount): shared.wait(finishedCount)
      case .end: return nil
      }
    }
  }

  private mutating func perform(_ item: Item) -> Result<Output, Failure> {
    if worker == nil { worker = makeWorker() }
    do throws(Failure) { return .success(try body(&worker!, item)) } catch { return .failure(error) }
  }
}

extension Crew {
  /// Does items 0 ..< `count` and merges their results into `initial`, in order, on the calling thread, while other threads
  /// continue.
  ///
  /// - Throws: the error of the first item, in order, that failed.
  func reduce<Worker, Output: Sendable, Whole, Failure: Error>(
    _ count: Int, worker: @autoclosure @escaping @Sendable () -> Worker, into initial: consuming Whole,
    merge: (inout Whole, Output) -> Void, body: @escaping @Sendable (inout Worker, Int) throws(Failure) -> Output
  ) throws(Failure) -> Whole {
    var whole = initial
    var map = OrderedMap(count > 1 ? self : .alone, worker: worker(), body)
    var index = 0
    while true {
      while index < count, !map.isFull {
        map.push(index)
        index += 1
      }
      guard let output = try map.next() else { return whole }
      merge(&whole, output)
    }
  }

  /// Does items 0 ..< `count` and returns their results in order.
  ///
  /// - Throws: the error of the first item, in order, that failed.
  func map<Worker, Output: Sendable, Failure: Error>(
    _ count: Int, worker: @autoclosure @escaping @Sendable () -> Worker,
    _ body: @escaping @Sendable (inout Worker, Int) throws(Failure) -> Output
  ) throws(Failure) -> [Output] {
    var outputs: [Output] = []
    outputs.reserveCapacity(count)
    return try reduce(count, worker: worker(), into: outputs, merge: { $0.append($1) }, body: body)
  }
}
