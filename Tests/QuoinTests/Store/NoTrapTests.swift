import Testing

@testable import Quoin

/// No public call ends the process, whatever it is given. Each kind of call is made in a process of its own, so that a trap
/// is the failure of one test, which names the call.
@Suite struct NoTrapTests {
  @Test(arguments: NastyCalls.allCases) func no_call_of_the_library_is_a_trap(_ calls: NastyCalls) async throws {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent, \.standardOutputContent]
    ) { [calls] in
      print("\(calls): \(try calls.run()) nasty calls")
    }
    guard let result else {
      Issue.record("\(calls) ended")
      return
    }
    let output = String(decoding: result.standardOutputContent, as: UTF8.self)
    print("promise 10: the library, \(output.split(separator: "\n").last ?? "nothing")")
  }
}
