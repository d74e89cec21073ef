import Foundation
import Quoin
import Testing

@testable import QuandlClient

/// Cancelled tasks and stores that refuse: both are errors of the client, each of its own kind.
@Suite struct ErrorKindTests {
  private let folder: TestFolder
  private let store: QuoteStore

  init() throws {
    folder = try TestFolder()
    store = try folder.store()
  }

  /// The error of a task that is cancelled before it does anything.
  private func errorWhenCancelled(
    _ body: @escaping @Sendable () async throws -> Void
  ) async throws -> QuandlClientError {
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      try await body()
    }
    task.cancel()
    return try await clientError { try await task.value }
  }

  @Test func in_a_cancelled_task_every_call_throws_cancelled_and_asks_nothing() async throws {
    let (store, file) = (store, folder.path + "/file")
    try await ScriptedServer { _, _ in .ok(fedExDataset) }.run { server in
      let client = try server.client { $0.willRetry = { error, _ in Issue.record(error) } }
      let errors = [
        try await errorWhenCancelled { _ = try await client.data("WIKI/FDX") },
        try await errorWhenCancelled { _ = try await client.metadata("WIKI/FDX") },
        try await errorWhenCancelled { _ = try await client.datasets(of: "WIKI") },
        try await errorWhenCancelled { _ = try await client.fetch("WIKI/FDX") },
        try await errorWhenCancelled { _ = try await client.save("WIKI/FDX", into: store) },
        try await errorWhenCancelled { _ = try await client.saveTable(into: store) },
        try await errorWhenCancelled { for try await _ in client.pages() {} },
        try await errorWhenCancelled { try await client.export(to: file) },
        try await errorWhenCancelled { try await client.download(database: "WIKI", to: file) },
      ]
      for (index, error) in errors.enumerated() {
        #expect(error.kind == .cancelled && error.storeError == nil && !error.isTransient, "call \(index): \(error)")
        #expect(error.description == "the task was cancelled")
      }
      #expect(server.requests.isEmpty)
    }
    #expect(folder.files == [] && store.generation == 0)
  }

  @Test func a_dataset_for_a_held_store_is_the_stores_error() async throws {
    let store = store
    try await ScriptedServer { _, _ in .ok(fedExDataset) }.run { server in
      let client = try server.client { $0.willRetry = { error, _ in Issue.record(error) } }
      try await store.whileHeld {
        try expectHeld(try await clientError { try await client.save("WIKI/FDX", into: store) })
      }
      #expect(server.requests.count == 1)
    }
  }

  @Test(arguments: [true, false]) func a_table_for_a_held_store_is_the_stores_error(_ hasExport: Bool) async throws {
    var service = try TestService(tickers: 9, rows: 1000)
    service.hasExport = hasExport
    let (served, store) = (service, store)
    try await ScriptedServer { request, _ in served.answer(request) }.run { server in
      let client = try server.client {
        $0.rowsPerCommit = 400
        $0.willRetry = { error, _ in Issue.record(error) }
      }
      try await store.whileHeld {
        try expectHeld(try await clientError { try await client.saveTable(into: store) })
      }
      #expect(Set(server.requests.map(\.target)).count == server.requests.count)
    }
    #expect(try await store.refresh() == false)
  }

  /// The store's error and its sentence, and nothing that only an error of the service has.
  private func expectHeld(_ error: QuandlClientError) throws {
    let cause = try #require(error.storeError, "\(error)")
    guard case .locked(store.path, _) = cause else { throw cause }
    #expect(error.kind == .store && !error.isTransient && error.description == cause.description)
    #expect(error.localizedDescription == cause.description && error.message == cause.description)
    #expect(error.url == nil && error.attemptCount == 1 && error.savedRowCount == 0)
  }

  @Test(arguments: [true, false])
  func a_task_that_is_cancelled_while_it_waits_for_a_held_store_throws_cancelled(_ hasExport: Bool) async throws {
    var service = try TestService(tickers: 3, rows: 100)
    service.hasExport = hasExport
    let (served, store) = (service, store)
    try await ScriptedServer { request, _ in served.answer(request) }.run { server in
      let client = try server.client()
      try await store.whileHeld {
        let hasRows = Shared(false)
        let task = Task {
          try await client.saveTable(into: store, patience: .seconds(600)) { stage in
            if stage != .waiting { hasRows.withLock { $0 = true } }
          }
        }
        while !hasRows.value { try await Task.sleep(for: .milliseconds(1)) }
        try await Task.sleep(for: .milliseconds(100))
        task.cancel()
        let error = try await clientError { try await task.value }
        #expect(error.kind == .cancelled && error.storeError == nil, "\(error)")
      }
    }
    #expect(try await store.refresh() == false)
  }

  /// After 600 rows, when complete tickers wait to be committed.
  @Test(arguments: [400, 1 << 20])
  func a_cancelled_table_saves_its_complete_tickers_and_says_how_many(_ rowsPerCommit: Int) async throws {
    var service = try TestService(tickers: 9, rows: 1000)
    service.hasExport = false
    let (served, store) = (service, store)
    let isSilent = Shared(false)
    try await ScriptedServer { request, _ in
      guard let cursor = request.value("qopts.cursor_id"), cursor == "600" else { return served.answer(request) }
      isSilent.withLock { $0 = true }
      return .silence
    }.run { server in
      let client = try server.client { $0.rowsPerCommit = rowsPerCommit }
      let task = Task { try await client.saveTable(into: store) }
      while !isSilent.value { try await Task.sleep(for: .milliseconds(1)) }
      _ = try await store.refresh()
      let generation = store.generation
      #expect(generation == (rowsPerCommit == 400 ? 1 : 0))
      task.cancel()
      let error = try await clientError { try await task.value }
      _ = try await store.refresh()
      #expect(error.kind == .cancelled && error.savedRowCount == store.summary.rowCount, "\(error)")
      #expect(store.summary.rowCount > 400)
      #expect(served.csv.hasPrefix(try store.csv()))
    }
  }

  @Test func a_store_that_is_damaged_in_the_middle_of_a_table_is_the_stores_error() async throws {
    var service = try TestService(tickers: 9, rows: 1000)
    service.hasExport = false
    let (served, store) = (service, store)
    try await ScriptedServer { request, _ in
      if request.value("qopts.cursor_id") == "600" {
        for name in try FileManager.default.contentsOfDirectory(atPath: store.path) {
          try Data("nonsense".utf8).write(to: URL(fileURLWithPath: "\(store.path)/\(name)"))
        }
      }
      return served.answer(request)
    }.run { server in
      let client = try server.client { $0.rowsPerCommit = 400 }
      let error = try await clientError { try await client.saveTable(into: store) }
      let cause = try #require(error.storeError, "\(error)")
      guard case .damaged = cause else { throw cause }
      // 400 rows or more are saved, and still the sentence is the store's.
      #expect(error.kind == .store && error.savedRowCount == 0 && error.description == cause.description)
      #expect(store.generation == 1)
    }
  }
}
