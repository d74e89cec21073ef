// A program of the tutorials: asks Quandl for quotes, saves them, and asks the store for them. `quoin serve` is a Quandl that
// answers:
//
//     QUOIN_STORE=tutorial-store swift run quoin-tutorial http://127.0.0.1:8977

import DataFetcher
import Foundation

do {
  if let address = CommandLine.arguments.dropFirst().first { try QuandlAPIClient.sharedClient.connect(to: address) }
} catch {
  FileHandle.standardError.write(Data("\(error)\n".utf8))
  exit(2)
}
ViewController().viewDidLoad()
