import NIOCore

/// Runs a connection's tasks on its event loop, where its bytes come and go. Going through the task pool would take two
/// thread switches per request.
final class EventLoopExecutor: TaskExecutor {
  private let eventLoop: any EventLoop

  init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // Sound: the closure keeps the executor alive while the job runs, and runs the job once.
    eventLoop.execute { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
