import Foundation
import Testing

/// Options, the environment and a file: which of them counts, and what is said of mistakes in each.
struct SettingsTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func file(_ text: String) throws -> String { try folder.write(text, to: "quoin.json") }

  @Test func an_option_wins_over_the_environment_and_that_over_the_file() throws {
    let file = try file(#"{"log-level": "warning", "log-format": "json", "allow-host": ["a.example", "b.example"]}"#)
    let server = try ServerProcess(
      folder, ["--config", file, "--log-level", "info"],
      environment: ["QUOIN_LOG_LEVEL": "error", "QUOIN_ALLOW_HOST": "c.example,d.example", "QUOIN_PORT": "1"])
    // The port is an option of every test's server.
    #expect(server.port > 1)
    func status(_ host: String) throws -> Int {
      let wire = try server.connect()
      wire.send("GET /healthz HTTP/1.1\r\nhost: \(host)\r\n\r\n")
      return try #require(wire.answer()).status
    }
    #expect(try [status("c.example"), status("d.example"), status("a.example")] == [200, 200, 403])
    let line = try #require(server.logLine { $0.contains("/healthz") })
    let event = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    #expect(event?["status"] as? Int == 200)
  }

  @Test func the_environment_names_the_file_and_an_empty_variable_counts_as_absent() throws {
    let file = try file(#"{"allow-host": ["a.example"], "behind-proxy": true, "spool-megabytes": 5}"#)
    let server = try ServerProcess(folder, environment: ["QUOIN_CONFIG": file, "QUOIN_ALLOW_HOST": ""])
    let wire = try server.connect()
    wire.send("GET /healthz HTTP/1.1\r\nhost: a.example\r\nx-forwarded-for: 192.0.2.7\r\n\r\n")
    #expect(try #require(wire.answer()).status == 200)
    #expect(server.logLine { $0.contains("192.0.2.7") } != nil)
  }

  @Test func a_mistake_is_a_sentence_that_names_its_place() throws {
    let cases = [
      (#"{"prot": 9000}"#, "called 'prot'; did you mean 'port'?"),
      (#"{"port": "x"}"#, #"quoin.json': "port": write a number"#),
      (#"{"port": 70000}"#, "from 0 to 65535"),
      (#"{"port": 1.5}"#, #"quoin.json': "port": write a text, a whole number"#),
      (#"{"log-level": "loud"}"#, "write debug, info, warning, error"),
      (#"{"allow-host": "a"}"#, "write a list of texts"),
      (#"{"behind-proxy": 1}"#, "write true or false"), (#"{"host": null}"#, #""host": write a text"#),
      ("[1]", "isn't a JSON object of settings"), ("{", "isn't a JSON object of settings"),
    ]
    for (text, sentence) in cases {
      let result = try ServerProcess.run(["--store", folder.store, "--config", file(text)])
      #expect(result.status == 64 && result.error.hasPrefix("quoin: ") && result.error.contains(sentence), "\(result)")
    }
    let missing = try ServerProcess.run(["--config", folder.path + "/none"])
    #expect(missing.status == 2 && missing.error.contains("none' can't be read"))
    for (name, text, sentence) in [
      ("PORT", "abc", "QUOIN_PORT: write a number from 0 to 65535"),
      ("LOG_FORMAT", "xml", "QUOIN_LOG_FORMAT: write text, json"),
      ("BEHIND_PROXY", "maybe", "QUOIN_BEHIND_PROXY: write true or false"), ("TLS_CERT", "c.pem", "belong together"),
    ] {
      let result = try ServerProcess.run(["--store", folder.store], environment: ["QUOIN_\(name)": text])
      #expect(result.status == 64 && result.error.contains(sentence), "\(result)")
    }
  }

  @Test func a_question_over_its_time_is_refused_and_the_setting_is_named() throws {
    let folder = try TestFolder(rowCount: 200_000)
    let server = try ServerProcess(
      folder, environment: ["QUOIN_QUESTION_SECONDS": "1", "QUOIN_QUESTION_MEGABYTES": "512"])
    let slow = (1...250).map { "wmean(close,\(300 + $0 * 20))" }.joined(separator: "%2B")
    let start = ContinuousClock.now
    let answer = try server.get("/api/v1/count?where=\(slow)%3E0")
    let sentence = "more than 1 s, which is what one question may take (question-seconds)"
    #expect(answer.status == 422 && answer.text.contains(sentence))
    #expect(ContinuousClock.now - start < .seconds(10))
    #expect(try server.get("/api/v1/count").status == 200)
    #expect(try server.get("/metrics").text.contains("quoin_questions_over_budget_total 1\n"))
  }

  @Test func a_question_over_its_memory_is_refused_and_the_setting_is_named() throws {
    let server = try ServerProcess(TestFolder(rowCount: 200_000), ["--question-megabytes", "1"])
    for path in ["/api/v1/count?where=rank(close+by+day)<3", "/questions?where=rank(open+by+day)<3"] {
      let answer = try server.get(path)
      #expect(answer.status == 422 && answer.text.contains("may hold 1 MB (question-megabytes)"), "\(answer)")
    }
    #expect(try server.get("/api/v1/count").status == 200)
    #expect(try server.get("/metrics").text.contains("quoin_questions_over_budget_total 2\n"))
  }

  @Test func a_file_of_settings_that_is_a_pipe_keeps_nobody_waiting() throws {
    let pipe = folder.path + "/pipe"
    #expect(unsafe mkfifo(pipe, 0o600) == 0)
    let result = try ServerProcess.run(["--store", folder.store, "--config", pipe])
    #expect(result.status == 2 && result.error.contains("isn't a regular file"), "\(result)")
    let token = try ServerProcess.run(["--store", folder.store, "--token-file", pipe])
    #expect(token.status == 2 && token.error.contains("can't be read"), "\(token)")
  }

  @Test func a_token_over_plain_http_is_warned_of_and_the_address_can_be_asked_for() throws {
    let token = try folder.write("a-token-of-many-letters", to: "token")
    let server = try ServerProcess(folder, ["--host", "0.0.0.0", "--token-file", token])
    #expect(server.logLine { $0.contains("warning") && $0.contains("plain http") } != nil)
    #expect(!server.url.contains("0.0.0.0"))
    let curl = Process()
    let output = Pipe()
    curl.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    curl.arguments = ["curl", "--silent", "--noproxy", "*", "-H", "x-api-token: a-token-of-many-letters"]
    curl.arguments?.append(server.url + "/api/v1/count")
    curl.standardOutput = output
    try curl.run()
    #expect(String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self).contains("4224"))
    let certificate = try TestCertificate(in: folder)
    let safe = try ServerProcess(
      folder,
      ["--host", "0.0.0.0", "--token-file", token, "--tls-cert", certificate.chain, "--tls-key", certificate.key])
    #expect(!safe.log.contains("plain http"))
    #expect(try !ServerProcess(folder, ["--token-file", token]).log.contains("plain http"))
  }
}
