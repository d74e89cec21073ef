import CQuoin
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Where a stream has its batches from.
protocol BatchSource: Sendable {
  var fields: [ArrowField] { get }
  /// The next batch; nil at the end.
  mutating func next() throws(Failure) -> ArrowBatch?
}

/// What an exported stream has. It doesn't know where its struct is, so the struct may be moved.
///
/// Sound throughout: the struct's private data is a reference to this object, which its release callback gives back. Callers
/// have room for what they ask for.
final class ArrowStream: Sendable {
  private struct State: Sendable {
    var source: any BatchSource
    var failure: (systemCode: Int32, sentence: CText)?
  }

  private let state: Mutex<State>

  private init(_ source: any BatchSource) {
    state = Mutex(State(source: source))
    Live.arrowCount.add(1, ordering: .relaxed)
  }

  deinit { Live.arrowCount.subtract(1, ordering: .relaxed) }

  static func export(_ source: any BatchSource, to stream: UnsafeMutablePointer<ArrowArrayStream>) {
    let object = ArrowStream(source)
    unsafe stream.pointee = ArrowArrayStream(
      get_schema: { stream, schema in
        guard let object = unsafe ArrowStream.of(stream), let schema = unsafe schema else { return EINVAL }
        unsafe ArrowField.export(object.fields, to: schema)
        return 0
      },
      get_next: { stream, array in
        guard let object = unsafe ArrowStream.of(stream), let array = unsafe array else { return EINVAL }
        return unsafe object.next(array)
      },
      get_last_error: { stream in unsafe ArrowStream.of(stream)?.lastError },
      release: { stream in
        guard let stream = unsafe stream, let data = unsafe stream.pointee.private_data else { return }
        unsafe (stream.pointee.release, stream.pointee.private_data) = (nil, nil)
        unsafe Unmanaged<ArrowStream>.fromOpaque(data).release()
      },
      private_data: Unmanaged.passRetained(object).toOpaque())
  }

  private static func of(_ stream: UnsafeMutablePointer<ArrowArrayStream>?) -> ArrowStream? {
    guard let data = unsafe stream?.pointee.private_data else { return nil }
    return unsafe Unmanaged<ArrowStream>.fromOpaque(data).takeUnretainedValue()
  }

  private var fields: [ArrowField] { state.withLock { $0.source.fields } }

  /// What went wrong; nil if nothing did.
  private var lastError: UnsafePointer<CChar>? { unsafe state.withLock { unsafe $0.failure?.sentence.start } }

  /// Writes the next batch, or an array that is released, which is the end.
  private func next(_ array: UnsafeMutablePointer<ArrowArray>) -> Int32 {
    let (batch, code) = state.withLock { state -> (ArrowBatch?, Int32) in
      if let failure = state.failure { return (nil, failure.systemCode) }
      do throws(Failure) { return (try state.source.next(), 0) } catch {
        state.failure = (error.systemCode, CText(error.sentence))
        return (nil, error.systemCode)
      }
    }
    unsafe array.initialize(to: ArrowArray())
    if let batch { unsafe batch.export(to: array) }
    return code
  }
}
