import Foundation
import Quoin
import Testing

@testable import QuandlClient

/// The program `quoin-fetch` as somebody has it who sits at a terminal: signals, waiting, proxies of the environment.
@Suite struct FetchTerminalTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func fetch(
    _ arguments: [String], environment: [String: String] = [:], meanwhile: (Process) throws -> Void = { _ in }
  ) throws -> ProgramRun {
    try ProgramRun(
      ProgramRun.built("quoin-fetch"), arguments,
      environment: environment.merging(["QUOIN_STORE": folder.path + "/store"]) { own, _ in own }, meanwhile: meanwhile)
  }

  private func wait(_ isThere: () -> Bool) {
    let end = ContinuousClock.now + .seconds(300)
    while !isThere(), ContinuousClock.now < end { usleep(2000) }
  }

  /// A table page by page that hangs at a row, until it is told not to.
  private func hangingTable(_ isHanging: Shared<Bool>) throws -> (ScriptedServer, TestService) {
    var service = try TestService(tickers: 9, rows: 1000)
    service.hasExport = false
    let served = service
    let server = ScriptedServer { request, _ in
      isHanging.value && request.value("qopts.cursor_id") == "600" ? .silence : served.answer(request)
    }
    return (server, service)
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func an_interrupted_table_is_saved_as_far_as_it_is_whole_and_goes_on(_ signal: Int32) async throws {
    let isHanging = Shared(true)
    let (server, service) = try hangingTable(isHanging)
    try await server.run { server in
      let first = try fetch(["--all", "--api-base", server.base]) { process in
        wait { server.requests.last?.value("qopts.cursor_id") == "600" }
        kill(process.processIdentifier, signal)
      }
      let store = try folder.store()
      let saved = store.summary.rowCount
      #expect(first.status == 128 + signal && first.out.isEmpty && saved > 300, "\(first)")
      #expect(
        first.err == "quoin: stopping; once more ends at once\n"
          + "quoin: interrupted; \(saved) rows of whole tickers are saved in '\(folder.path)/store'; "
          + "the same command goes on after them\n")
      #expect(service.csv.hasPrefix(try store.csv()))
      isHanging.withLock { $0 = false }
      let second = try fetch(["--all", "--api-base", server.base])
      #expect(second.status == 0 && second.out.contains("Fetched \(1000 - saved) rows of"), "\(second)")
      #expect(try folder.store().csv() == service.csv)
    }
  }

  @Test func a_second_signal_ends_at_once() async throws {
    let (server, _) = try hangingTable(Shared(true))
    try await server.run { server in
      // The commit of the first signal waits for this process, which holds the store.
      let run = try folder.store().write { _ in
        try fetch(["--all", "--api-base", server.base, "--wait", "600"]) { process in
          wait { server.requests.last?.value("qopts.cursor_id") == "600" }
          kill(process.processIdentifier, SIGINT)
          usleep(1_000_000)
          #expect(process.isRunning)
          kill(process.processIdentifier, SIGINT)
        }
      }
      #expect(run.status == 130 && run.err == "quoin: stopping; once more ends at once\n", "\(run)")
    }
  }

  @Test func interrupted_between_tickers_it_says_which_are_missing() async throws {
    try await ScriptedServer { request, _ in
      request.path.contains("FDX") ? .ok(fedExDataset) : .silence
    }.run { server in
      let run = try fetch(["FDX", "KO", "GE", "--api-base", server.base]) { process in
        wait { server.requests.count == 2 }
        kill(process.processIdentifier, SIGINT)
      }
      #expect(run.status == 130 && run.out.contains("Fetched 1 row of FDX"), "\(run)")
      #expect(
        run.err == "quoin: stopping; once more ends at once\n"
          + "quoin: interrupted; not fetched: KO, GE; the same command fetches what is missing\n")
      #expect(try folder.store().tickers == ["FDX"])
    }
  }

  /// Under `script`, which gives it a terminal.
  @Test func on_a_terminal_a_service_that_hangs_is_told_after_two_seconds() async throws {
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/script") else { return print("SKIPPED: no script") }
    try await ScriptedServer { _, index in
      index == 0 ? Reply.ok(fedExDataset).delayed(by: .seconds(4)) : .close
    }.run { server in
      let command = "\(ProgramRun.built("quoin-fetch")) FDX --api-base \(server.base)"
      let run = try ProgramRun(
        "/usr/bin/script", ["-qec", command, "/dev/null"],
        environment: ["QUOIN_STORE": folder.path + "/store", "TERM": "xterm", "SHELL": "/bin/sh"])
      let lines = run.out.split { $0 == "\r" || $0 == "\n" || $0 == "\r\n" }
      #expect(lines.first?.hasPrefix("waiting for FDX from \(server.base), 0:0") == true, "\(run)")
      #expect(run.status == 0 && run.out.contains("Fetched 1 row of FDX"))
    }
  }

  @Test func the_proxies_are_those_of_the_environment() async throws {
    try await ScriptedServer { _, _ in .ok(fedExDataset) }.run { proxy in
      let environment = ["HTTP_PROXY": "http://me:s3cr3t@127.0.0.1:\(proxy.port)"]
      let run = try fetch(["FDX", "--api-base", "http://quotes.invalid"], environment: environment)
      #expect(run.status == 0 && run.out.contains("Fetched 1 row of FDX from http://quotes.invalid"), "\(run)")
      #expect(proxy.requests[0].target.hasPrefix("http://quotes.invalid/api/v3/datasets/WIKI/FDX/data?"))
      let other = try fetch(
        ["KO", "--api-base", "http://127.0.0.1:1"], environment: environment.merging(["no_proxy": "127.0.0.1"]) { $1 })
      #expect(other.status == 2 && other.err.contains("cannot connect to 127.0.0.1, port 1"), "\(other)")
      #expect(proxy.requests.count == 1)
      let wrong = try fetch(["KO"], environment: ["https_proxy": "ftp://me:s3cr3t@x"])
      #expect(wrong.status == 64 && wrong.err.hasPrefix("quoin: https_proxy: the address of the proxy"), "\(wrong)")
      #expect(![run, other, wrong].contains { $0.err.contains("s3cr3t") || $0.out.contains("s3cr3t") })
    }
    #expect(try fetch(["--help"]).out.contains("HTTPS_PROXY"))
  }

  @Test func a_number_beyond_float64_is_called_that() async throws {
    for number in ["1e400", String(repeating: "7", count: 100_001)] {
      try await ScriptedServer { _, _ in .ok(fedExDataset.replacing("87.6", with: number)) }.run { server in
        let run = try fetch(["FDX", "--api-base", server.base])
        #expect(
          run.status == 2
            && run.err.hasSuffix("row 1, column Close, '\(number.prefix(40))': too large for float64\n"), "\(run)")
      }
    }
  }
}
