// Thread sanitizer understands compiled code and pthreads. It doesn't see that the library's mutex, which waits in the kernel,
// orders accesses, so it reports races that aren't there. Under it (`make sanitize`) this lock of the same name replaces the
// library's.

#if QUOIN_THREAD_SANITIZER
  #if canImport(Glibc)
    import Glibc
  #else
    import Darwin
  #endif

  @safe
  final class Mutex<Value>: @unchecked Sendable {
    // Sound to share: the value is only touched by the holder of the lock.
    private var value: Value
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    init(_ value: sending Value) {
      self.value = value
      unsafe pthread_mutex_init(lock, nil)
    }

    deinit {
      unsafe pthread_mutex_destroy(lock)
      unsafe lock.deallocate()
    }

    func withLock<Result, Failure: Error>(_ body: (inout Value) throws(Failure) -> Result) throws(Failure) -> Result {
      unsafe pthread_mutex_lock(lock)
      defer { unsafe pthread_mutex_unlock(lock) }
      return try body(&value)
    }
  }
#endif
