import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What the outside holds of this library.
enum Live {
  static let stores = Handles<OpenStore>()
  static let errors = Handles<CallError>()
  static let blocks = Blocks()
  /// Streams, arrays and schemas.
  static let arrowCount = Atomic<Int>(0)

  static var count: Int { stores.count + errors.count + blocks.count + arrowCount.load(ordering: .relaxed) }
}

/// Objects that the outside knows by a number, which is given once. So a closed handle is refused, and so is any number that
/// nobody was given; no address of the outside's is followed.
final class Handles<Object: AnyObject & Sendable>: Sendable {
  private struct State {
    var last: UInt = 0
    var objects: [UInt: Object] = [:]
  }

  private let state = Mutex(State())

  var count: Int { state.withLock { $0.objects.count } }

  // Sound throughout: a handle is a number in the form of a pointer.

  func add(_ object: Object) -> OpaquePointer? {
    let number = state.withLock { state in
      state.last += 1
      state.objects[state.last] = object
      return state.last
    }
    return unsafe OpaquePointer(bitPattern: number)
  }

  subscript(handle: OpaquePointer?) -> Object? {
    let number = UInt(bitPattern: handle)
    return state.withLock { $0.objects[number] }
  }

  func remove(_ handle: OpaquePointer?) {
    let number = UInt(bitPattern: handle)
    // It may go for good, and not under the lock.
    let object = state.withLock { $0.objects.removeValue(forKey: number) }
    withExtendedLifetime(object) {}
  }
}

/// Memory that was handed out, so that nothing else is freed.
final class Blocks: Sendable {
  private let addresses = Mutex(Set<UInt>())

  var count: Int { addresses.withLock { $0.count } }

  func allocate(_ byteCount: Int) throws(Failure) -> UnsafeMutableRawPointer {
    guard let block = unsafe malloc(byteCount) else {
      throw Failure(.other, "there is no memory for \(byteCount) bytes")
    }
    _ = addresses.withLock { $0.insert(UInt(bitPattern: block)) }
    return unsafe block
  }

  /// A copy of a text, which a zero ends.
  func copy(_ text: String) throws(Failure) -> UnsafePointer<CChar> {
    let text = CText(text)
    let block = unsafe try allocate(text.byteCount)
    unsafe block.copyMemory(from: text.start, byteCount: text.byteCount)
    return unsafe UnsafePointer(block.assumingMemoryBound(to: CChar.self))
  }

  func release(_ block: UnsafeRawPointer?) {
    let isOurs = addresses.withLock { $0.remove(UInt(bitPattern: block)) } != nil
    // Sound: it came from malloc, and nobody else frees it.
    if isOurs { unsafe free(UnsafeMutableRawPointer(mutating: block)) }
  }
}

/// A text in C's form, for as long as the object lives.
///
/// Sound to share: it is written once, and a zero ends it.
@safe
final class CText: @unchecked Sendable {
  let start: UnsafePointer<CChar>
  /// The zero included.
  let byteCount: Int

  init(_ text: String) {
    // A zero would end it.
    let characters = text.utf8.map { CChar(bitPattern: $0 == 0 ? 0x20 : $0) } + [0]
    let memory = UnsafeMutableBufferPointer<CChar>.allocate(capacity: characters.count)
    _ = unsafe memory.initialize(fromContentsOf: characters)
    unsafe start = UnsafePointer(memory.baseAddress!)
    byteCount = characters.count
  }

  deinit { unsafe start.deallocate() }
}
