import Dispatch

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A thread of the operating system.
enum SystemThread {
  /// Bytes of a thread's stack, whatever the system's default is: 128 KiB with musl, 512 KiB on macOS. Only the pages that are
  /// used take memory.
  static let stackByteCount = 8 << 20

  /// Runs `body` on a new thread. Returns false if there is none to be had, as beyond a limit of processes; then `body` isn't run.
  static func start(_ body: @escaping @Sendable () -> Void) -> Bool { start(stackByteCount: stackByteCount, body) }

  /// The same with a stack of so many bytes.
  static func start(stackByteCount: Int, _ body: @escaping @Sendable () -> Void) -> Bool {
    // Sound: the object is handed to the thread, which takes it over, or taken back here if there is none.
    let handed = unsafe Unmanaged.passRetained(ThreadBody(body))
    let isStarted = withoutSignals { unsafe create(handed.toOpaque(), stackByteCount) }
    if !isStarted { unsafe handed.release() }
    return isStarted
  }

  /// Lets the calling thread run where others don't want to, for the rest of its life.
  static func giveWay() {
    #if canImport(Glibc)
      // Linux counts the threads as processes here.
      setpriority(.init(PRIO_PROCESS.rawValue), 0, 10)
    #else
      pthread_set_qos_class_self_np(QOS_CLASS_UTILITY, 0)
    #endif
  }

  private static func create(_ handed: UnsafeMutableRawPointer, _ stackByteCount: Int) -> Bool {
    var attributes = pthread_attr_t()
    guard unsafe pthread_attr_init(&attributes) == 0 else { return false }
    defer { unsafe pthread_attr_destroy(&attributes) }
    unsafe pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
    unsafe pthread_attr_setstacksize(&attributes, stackByteCount)
    #if canImport(Glibc)
      var thread = pthread_t()
    #else
      var thread: pthread_t?
    #endif
    return unsafe pthread_create(&thread, &attributes, runThreadBody, handed) == 0
  }

  /// A new thread inherits the mask of the one that makes it: what is sent to the process is for the program's own threads.
  private static func withoutSignals(_ body: () -> Bool) -> Bool {
    var (blocked, before) = (sigset_t(), sigset_t())
    unsafe sigfillset(&blocked)
    for fault in [SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSEGV, SIGSYS, SIGABRT, SIGPROF] {
      unsafe sigdelset(&blocked, fault)
    }
    unsafe pthread_sigmask(SIG_BLOCK, &blocked, &before)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
    return body()
  }
}

extension SystemThread {
  /// Levels of calls that the stack of any thread has room for, of functions that call themselves for what is inside something.
  private static let shallowLevelCount = 12

  /// Has a value on threads whose stack has room for any levels.
  private static let deepKey: pthread_key_t = {
    var key = pthread_key_t()
    let code = unsafe pthread_key_create(&key, nil)
    precondition(code == 0, "no key for threads: \(code)")
    return key
  }()

  /// Does `body`, which calls itself for so many levels, and waits for it: here if they are few or this is such a thread, else on one whose stack has room
  /// for them. A caller's stack may have 128 KiB (musl), 512 KiB (macOS) or 1 MiB (a JVM). Where no thread is to be had, it is done
  /// here.
  static func deep<Value, Failure: Error>(
    levelCount: Int, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    guard levelCount > shallowLevelCount, unsafe pthread_getspecific(deepKey) == nil else { return try body() }
    return try withoutActuallyEscaping(body) { body in
      let work = DeepWork(body)
      let done = DispatchSemaphore(value: 0)
      if start({
        unsafe pthread_setspecific(deepKey, UnsafeRawPointer(bitPattern: 1))
        work.run()
        done.signal()
      }) {
        done.wait()
      } else {
        work.run()
      }
      return work
    }.result()
  }
}

// Sound to share: the thread that made it waits until another one has run it.
private final class DeepWork<Value, Failure: Error>: @unchecked Sendable {
  private var body: (() throws(Failure) -> Value)?
  private var value: Result<Value, Failure>?

  init(_ body: @escaping () throws(Failure) -> Value) { self.body = body }

  func run() {
    guard let body = body.take() else { return }
    value = Result { () throws(Failure) in try body() }
  }

  func result() throws(Failure) -> Value {
    guard let value else { preconditionFailure("it has run") }
    return try value.get()
  }
}

private func runThreadBody(_ handed: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  // Sound: `start` has handed it over.
  if let handed = unsafe handed { unsafe Unmanaged<ThreadBody>.fromOpaque(handed).takeRetainedValue().run() }
  return nil
}

private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void

  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}
