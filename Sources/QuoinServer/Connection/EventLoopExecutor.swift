import NIOCore

/// Runs a connection's tasks on its event loop, where its bytes come and go: from a loop to the pool of tasks and back would
/// take two switches of threads for each request.
final class EventLoopExecutor: TaskExecutor {
  private let eventLoop: any EventLoop

  init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // Sound: the closure keeps the executor as long as the job runs, and runs it once.
    eventLoop.execute { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
