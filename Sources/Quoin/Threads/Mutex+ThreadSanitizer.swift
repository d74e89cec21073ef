// Thread sanitizer understands compiled code and pthreads. It doesn't see that the library's mutex, which waits in the kernel,
// orders accesses, so it reports races that aren't there. Under it (`make sanitize`) this lock of the same name replaces the
// library's.

#if QUOIN_THREAD_SANITIZER
  import Foundation

  final class Mutex<Value>: @unchecked Sendable {
    // The holder of the lock alone touches the value.
    private var value: Value
    private let lock = NSLock()

    init(_ value: sending Value) { self.value = value }

    func withLock<Result, Failure: Error>(_ body: (inout Value) throws(Failure) -> Result) throws(Failure) -> Result {
      lock.lock()
      defer { lock.unlock() }
      return try body(&value)
    }
  }
#endif
