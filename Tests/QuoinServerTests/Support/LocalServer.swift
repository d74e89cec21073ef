import Foundation
import Testing

@testable import QuoinServer

/// A server in the tests' own process, with settings that the program doesn't have.
enum LocalServer {
  /// What `body` finds out about a server that runs as long, at the port that it is given. It may wait: it has a thread of its own.
  static func with<Finding: Sendable>(
    _ configuration: ServerConfiguration, rowCount: Int? = nil, _ body: @escaping @Sendable (Int) throws -> Finding
  ) async throws -> Finding {
    var configuration = configuration
    configuration.port = 0
    let folder = try TestFolder(rowCount: rowCount)
    let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
    let server = try QuoinServer(store: folder.store, configuration: configuration, logger: .silent) { url in
      continuation.yield(url.split(separator: ":").last.flatMap { Int($0) } ?? 0)
    }
    let running = Task(executorPreference: OwnThreads()) { try await server.run() }
    defer { running.cancel() }
    var iterator = ports.makeAsyncIterator()
    let port = try #require(await iterator.next())
    return try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result { try body(port) }) }
    }
  }
}

/// Threads for the server, since other tests wait for their servers on those that all tasks share.
private final class OwnThreads: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    DispatchQueue.global().async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
