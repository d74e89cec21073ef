// libFuzzer calls this program's one function with one input after another (`make fuzz`). What the inputs are and what
// is done with them is described in QuoinTests/Fuzz/Targets.
//
// New inputs stay in .build/fuzz/found; an input that ends the program is .build/fuzz/found/TARGET-crash-...
// Inputs worth keeping for the tests go into the corpus, each for something that no other does:
//
//     QUOIN_FUZZ_TARGET=block .build/fuzz/release/quoin-fuzz -merge=1 Tests/Fuzz/Corpus/block .build/fuzz/found/block

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The target named by the environment's QUOIN_FUZZ_TARGET.
private nonisolated(unsafe) let read: (UnsafeRawBufferPointer) throws -> Void = {
  let name = unsafe getenv("QUOIN_FUZZ_TARGET").map { unsafe String(cString: $0) } ?? ""
  guard let target = FuzzTarget(rawValue: name) else {
    preconditionFailure("QUOIN_FUZZ_TARGET is '\(name)', none of \(FuzzTarget.allCases.map(\.rawValue))")
  }
  return unsafe target.makeReader()
}()

/// Called by libFuzzer with each input. Ends the program when the target throws.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ byteCount: Int) -> Int32 {
  do {
    try unsafe read(UnsafeRawBufferPointer(start: bytes, count: byteCount))
    return 0
  } catch { fatalError("\(error)") }
}
