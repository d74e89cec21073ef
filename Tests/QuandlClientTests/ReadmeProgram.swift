import QuandlClient
import Quoin

/// The README's program, so that it compiles. It isn't run: what listens on that port is none of the tests' business.
func readmeProgram() async throws {
  let client = try QuandlClient(baseURL: "http://127.0.0.1:8977")
  let store = try await QuoteStore(at: "quoin-store")
  try await client.save("WIKI/FDX", into: store, from: "2005-01-01")
}
