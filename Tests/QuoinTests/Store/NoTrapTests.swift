import Foundation
import Testing

@testable import Quoin

/// No public call ends the process, whatever it is given. Each kind of call is made in a process of its own, so that a trap
/// is the failure of one test, which names the call.
@Suite struct NoTrapTests {
  @Test(arguments: NastyCalls.allCases) func no_call_of_the_library_is_a_trap(_ calls: NastyCalls) async throws {
    let folder = TemporaryDirectory()
    let names = "\(folder.path)/name"
    let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      [calls, names = names as String] in
      print("\(calls): \(try calls.run(naming: names)) nasty calls")
    }
    guard let result else {
      let name = try? String(contentsOfFile: names, encoding: .utf8)
      Issue.record("the process ended in \(name ?? "no call of \(calls)")")
      return
    }
    let output = String(decoding: result.standardOutputContent, as: UTF8.self)
    print("promise 10: the library, \(output.split(separator: "\n").last ?? "nothing")")
  }
}
