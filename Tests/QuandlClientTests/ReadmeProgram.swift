import QuandlClient
import Quoin

// The Swift of the README and of the library's article.

/// The README's program, so that it compiles. It isn't run: what listens on that port is none of the tests' business.
func readmeProgram() async throws {
  let client = try QuandlClient(baseURL: "http://127.0.0.1:8977")
  let store = try await QuoteStore(at: "quoin-store")
  try await client.save("WIKI/FDX", into: store, from: "2005-01-01")
}

func articleProgram(_ client: QuandlClient, _ store: QuoteStore) async throws(QuandlClientError) {
  do {
    try await client.save("WIKI/FDX", into: store, patience: .seconds(60))
  } catch {
    guard error.kind == .store else { throw error }
    print("not saved: \(error)")
  }
}
