import Dispatch
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Wakes tasks when a name in a directory has come or gone: by inotify on Linux, by a file system event on macOS. A watch takes
/// no thread while nothing happens.
///
/// Sound: the buffer is read into and never looked at.
final class DirectoryWatch: Sendable {
  private struct State {
    /// Since the last wait.
    var hasChanged = false
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())
  private let source: Source

  /// The system's source of events.
  private struct Source: @unchecked Sendable {
    let events: any DispatchSourceProtocol
  }

  /// Nil if the directory isn't there, or if the system has no watches left.
  init?(_ directory: String) {
    guard let descriptor = Self.descriptor(directory) else { return nil }
    let queue = DispatchQueue(label: "quoin.watch")
    #if canImport(Glibc)
      source = Source(events: DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue))
    #else
      source = Source(
        events: DispatchSource.makeFileSystemObjectSource(fileDescriptor: descriptor, eventMask: .write, queue: queue))
    #endif
    source.events.setEventHandler { [weak self] in
      Self.drain(descriptor)
      self?.wake()
    }
    source.events.setCancelHandler { close(descriptor) }
    source.events.resume()
  }

  deinit { source.events.cancel() }

  #if canImport(Glibc)
    private static func descriptor(_ directory: String) -> Int32? {
      let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
      guard descriptor >= 0 else { return nil }
      guard unsafe inotify_add_watch(descriptor, directory, UInt32(IN_MOVED_TO | IN_DELETE | IN_DELETE_SELF)) >= 0
      else {
        close(descriptor)
        return nil
      }
      return descriptor
    }

    private static func drain(_ descriptor: Int32) {
      var bytes = [UInt8](repeating: 0, count: 4096)
      while unsafe bytes.withUnsafeMutableBytes({ unsafe read(descriptor, $0.baseAddress, $0.count) }) > 0 {}
    }
  #else
    private static func descriptor(_ directory: String) -> Int32? {
      let descriptor = unsafe open(directory, O_EVTONLY | O_CLOEXEC)
      return descriptor < 0 ? nil : descriptor
    }

    private static func drain(_ descriptor: Int32) {}
  #endif

  /// Returns when something has changed since the last call, or when the task is cancelled.
  func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        let isReady = state.withLock { state in
          if !state.hasChanged { state.waiters.append(waiter) }
          defer { state.hasChanged = false }
          return state.hasChanged
        }
        if isReady { waiter.resume() }
      }
    } onCancel: {
      wake()
    }
  }

  private func wake() {
    let waiters = state.withLock { state in
      defer { state.waiters = [] }
      if state.waiters.isEmpty { state.hasChanged = true }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }
}
