import Testing

@testable import Quoin

/// The library knows no command line.
@Suite struct LibraryErrorTests {
  @Test func no_error_names_an_option() {
    let rejected = BadRows()
    let errors: [any Error] = [
      StoreError.noStore(path: "s"), StoreError.storeExists(path: "s"), StoreError.locked(path: "s", holder: "h"),
      ImportError.noTicker(file: "f"), ImportError.rejected(rejected), ImportError.empty(file: "f"),
    ]
    for error in errors { #expect(!"\(error)".contains("--"), "\(error)") }
  }
}
